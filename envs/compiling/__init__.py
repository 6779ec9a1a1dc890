"""What stands behind the decorator of compiled functions: where they are kept, and how they run without a compiler."""
