"""Game records: reading, checking, writing and showing them (`record.md`)."""
