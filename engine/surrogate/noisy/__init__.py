"""What noise adds to the surrogate: levels, scales, higher polynomials, what uncertainty does to the shape."""
