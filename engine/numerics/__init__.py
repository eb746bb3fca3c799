"""Linear algebra that never fails without a fallback, seeded random numbers, work in parts."""
