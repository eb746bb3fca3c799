"""Which parameters decide what, which data taught it, what to measure next."""
