"""The families of distributions that priors are drawn from, other than uniform ones; see ``distributions.py``."""

from __future__ import annotations

import math

import numpy as np

from .distributions import HUGE, LOG_SQRT_2PI, Array, Distribution, f64


class NormalDistribution(Distribution):
    def __init__(self, mean: float, sd: float) -> None:
        self._mean, self._sd = mean, sd
        self._constant = -LOG_SQRT_2PI - math.log(sd)

    def log_density_inside(self, x: Array) -> Array:
        z = (x - self._mean) / self._sd
        return self._constant - 0.5 * z * z

    def cdf(self, x: Array) -> Array:
        from scipy.special import ndtr

        return f64(ndtr((x - self._mean) / self._sd))

    def sf(self, x: Array) -> Array:
        from scipy.special import ndtr

        return f64(ndtr((self._mean - x) / self._sd))

    def ppf(self, p: Array) -> Array:
        from scipy.special import ndtri

        return f64(self._mean + self._sd * ndtri(p))

    def isf(self, p: Array) -> Array:
        from scipy.special import ndtri

        return f64(self._mean - self._sd * ndtri(p))


class LogNormalDistribution(Distribution):
    lower = 0.0

    def __init__(self, log_mean: float, log_sd: float) -> None:
        self._log = NormalDistribution(log_mean, log_sd)

    def log_density_inside(self, x: Array) -> Array:
        log_x = np.log(x)
        return self._log.log_density_inside(log_x) - log_x

    def cdf(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            return self._log.cdf(np.log(x))

    def sf(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            return self._log.sf(np.log(x))

    def ppf(self, p: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.exp(self._log.ppf(p))

    def isf(self, p: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.exp(self._log.isf(p))


class HalfNormalDistribution(Distribution):
    lower = 0.0

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._constant = math.log(2.0) - LOG_SQRT_2PI - math.log(scale)

    def log_density_inside(self, x: Array) -> Array:
        z = x / self._scale
        return self._constant - 0.5 * z * z

    def cdf(self, x: Array) -> Array:
        from scipy.special import erf

        return f64(erf(x / (self._scale * math.sqrt(2.0))))

    def sf(self, x: Array) -> Array:
        from scipy.special import ndtr

        return f64(2.0 * ndtr(-x / self._scale))

    def ppf(self, p: Array) -> Array:
        from scipy.special import erfinv

        return f64(self._scale * math.sqrt(2.0) * erfinv(p))

    def isf(self, p: Array) -> Array:
        from scipy.special import ndtri

        return f64(-self._scale * ndtri(0.5 * p))


class HalfCauchyDistribution(Distribution):
    lower = 0.0

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._constant = math.log(2.0 / math.pi) - math.log(scale)

    def log_density_inside(self, x: Array) -> Array:
        z: Array = np.minimum(x / self._scale, HUGE)
        return self._constant - np.log1p(z * z)

    def cdf(self, x: Array) -> Array:
        return (2.0 / math.pi) * np.arctan2(x, self._scale)

    def sf(self, x: Array) -> Array:
        return (2.0 / math.pi) * np.arctan2(self._scale, x)

    def ppf(self, p: Array) -> Array:
        # tan(pi p / 2) near p = 1 needs the complement: 1 / tan(pi (1 - p) / 2)
        with np.errstate(divide="ignore"):
            low, high = np.minimum(p, 0.5), np.minimum(1.0 - p, 0.5)
            return self._scale * np.where(
                p < 0.5, np.tan(0.5 * math.pi * low), 1.0 / np.tan(0.5 * math.pi * high)
            )

    def isf(self, p: Array) -> Array:
        with np.errstate(divide="ignore"):
            return self._scale / np.tan(0.5 * math.pi * p)


class BetaDistribution(Distribution):
    """Beta(a, b) stretched to [low, high]."""

    def __init__(self, a: float, b: float, low: float, high: float) -> None:
        from scipy.special import betaln

        self.lower, self.upper = low, high
        self._a, self._b, self._width = a, b, high - low
        self._constant = -float(betaln(a, b)) - math.log(self._width)

    def log_density_inside(self, x: Array) -> Array:
        left, right = (x - self.lower) / self._width, (self.upper - x) / self._width
        # a factor of exactly one must stay one at the edge (0 * log 0)
        density: Array = 0.0 * x + self._constant
        if self._a != 1.0:
            density = density + (self._a - 1.0) * np.log(left)
        if self._b != 1.0:
            density = density + (self._b - 1.0) * np.log(right)
        return density

    def cdf(self, x: Array) -> Array:
        from scipy.special import betainc

        return f64(betainc(self._a, self._b, np.clip((x - self.lower) / self._width, 0.0, 1.0)))

    def sf(self, x: Array) -> Array:
        from scipy.special import betainc

        return f64(betainc(self._b, self._a, np.clip((self.upper - x) / self._width, 0.0, 1.0)))

    def ppf(self, p: Array) -> Array:
        from scipy.special import betaincinv

        return f64(np.minimum(self.lower + self._width * betaincinv(self._a, self._b, p), self.upper))

    def isf(self, p: Array) -> Array:
        from scipy.special import betaincinv

        return f64(np.maximum(self.upper - self._width * betaincinv(self._b, self._a, p), self.lower))


class GammaDistribution(Distribution):
    lower = 0.0

    def __init__(self, shape: float, scale: float) -> None:
        self._shape, self._scale = shape, scale
        self._log_scale = math.log(scale)
        self._constant = -math.lgamma(shape) - self._log_scale

    def log_density_inside(self, x: Array) -> Array:
        z = x / self._scale
        if self._shape == 1.0:
            return self._constant - z
        return self._constant + (self._shape - 1.0) * (np.log(x) - self._log_scale) - z

    def cdf(self, x: Array) -> Array:
        from scipy.special import gammainc

        return f64(gammainc(self._shape, x / self._scale))

    def sf(self, x: Array) -> Array:
        from scipy.special import gammaincc

        return f64(gammaincc(self._shape, x / self._scale))

    def ppf(self, p: Array) -> Array:
        from scipy.special import gammaincinv

        return f64(self._scale * gammaincinv(self._shape, p))

    def isf(self, p: Array) -> Array:
        from scipy.special import gammainccinv

        return f64(self._scale * gammainccinv(self._shape, p))


class InverseGammaDistribution(Distribution):
    """1 / x is Gamma(shape, scale 1 / scale)."""

    lower = 0.0

    def __init__(self, shape: float, scale: float) -> None:
        self._shape, self._scale = shape, scale
        self._log_scale = math.log(scale)
        self._constant = -math.lgamma(shape) - self._log_scale

    def log_density_inside(self, x: Array) -> Array:
        return self._constant - (self._shape + 1.0) * (np.log(x) - self._log_scale) - self._scale / x

    def cdf(self, x: Array) -> Array:
        from scipy.special import gammaincc

        with np.errstate(divide="ignore"):
            return f64(gammaincc(self._shape, np.divide(self._scale, x)))

    def sf(self, x: Array) -> Array:
        from scipy.special import gammainc

        with np.errstate(divide="ignore"):
            return f64(gammainc(self._shape, np.divide(self._scale, x)))

    def ppf(self, p: Array) -> Array:
        from scipy.special import gammainccinv

        with np.errstate(divide="ignore"):
            return f64(np.divide(self._scale, gammainccinv(self._shape, p)))

    def isf(self, p: Array) -> Array:
        from scipy.special import gammaincinv

        with np.errstate(divide="ignore", over="ignore"):
            return f64(np.divide(self._scale, gammaincinv(self._shape, p)))


class ExponentialDistribution(Distribution):
    lower = 0.0

    def __init__(self, mean: float) -> None:
        self._mean = mean
        self._constant = -math.log(mean)

    def log_density_inside(self, x: Array) -> Array:
        return self._constant - x / self._mean

    def cdf(self, x: Array) -> Array:
        return -np.expm1(-x / self._mean)

    def sf(self, x: Array) -> Array:
        return np.exp(-x / self._mean)

    def ppf(self, p: Array) -> Array:
        with np.errstate(divide="ignore"):
            return -self._mean * np.log1p(-p)

    def isf(self, p: Array) -> Array:
        with np.errstate(divide="ignore"):
            return -self._mean * np.log(p)


class StudentTDistribution(Distribution):
    def __init__(self, location: float, scale: float, dof: float) -> None:
        from scipy.special import betaln

        self._location, self._scale, self._dof = location, scale, dof
        self._constant = -float(betaln(0.5, 0.5 * dof)) - 0.5 * math.log(dof) - math.log(scale)
        self._width = scale * math.sqrt(dof)

    def log_density_inside(self, x: Array) -> Array:
        z: Array = np.minimum(np.abs((x - self._location) / self._width), HUGE)
        return self._constant - 0.5 * (self._dof + 1.0) * np.log1p(z * z)

    def cdf(self, x: Array) -> Array:
        from scipy.special import stdtr

        return f64(stdtr(self._dof, (x - self._location) / self._scale))

    def sf(self, x: Array) -> Array:
        from scipy.special import stdtr

        return f64(stdtr(self._dof, (self._location - x) / self._scale))

    def ppf(self, p: Array) -> Array:
        from scipy.special import stdtrit

        return f64(self._location + self._scale * stdtrit(self._dof, p))

    def isf(self, p: Array) -> Array:
        from scipy.special import stdtrit

        return f64(self._location - self._scale * stdtrit(self._dof, p))
