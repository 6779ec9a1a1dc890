"""Par tables: how every contract of a deal comes out under the reference player."""

from baofen.training.bids.par.table import load_par

__all__ = ["load_par"]
