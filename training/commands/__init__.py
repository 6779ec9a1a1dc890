"""The commands of the command line, one file each; what they need is imported when they run."""
