"""RMA's background correction: normal background, exponential signal, one array at a time.

Irizarry et al. (2003), Biostatistics 4:249-264. The observed intensity is S = B + Y, B normal
(mu, sigma) and not below 0, Y exponential with rate alpha; a value becomes E(Y | S). Parameters are
estimated as Bioconductor's preprocessCore estimates them (`rma.background.correct`), by modes of
kernel density estimates.
"""

from __future__ import annotations

import math

import numpy as np

from ._jit import jit

GRID_POINTS = 16384  # points of a density; a power of two, for the Fourier transforms
CUT_BANDWIDTHS = 7.0  # bandwidths from the values to the ends of the grid
SHOWN_BANDWIDTHS = 3.0  # from the values to the ends of the part in which the mode is searched
# below this many standard deviations phi/Phi is computed by its continued fraction
CONTINUED_FRACTION_BELOW = -10.0
FRACTION_TERMS = 16  # terms of it, which there give all digits


def background_parameters(values: np.ndarray) -> tuple[float, float, float]:
    """mu, sigma and alpha of an array's values (p,), which are in increasing order.

    NaN where there is no estimate: fewer than two values below mu or above it, or magnitudes
    whose squares overflow or underflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return _array_parameters(values)


def _array_parameters(values: np.ndarray) -> tuple[float, float, float]:
    nothing = math.nan, math.nan, math.nan
    if len(values) < 2:
        return nothing
    # mu is the mode of the values below the mode of all, where the background prevails
    below = values[: np.searchsorted(values, density_mode(values))]
    if len(below) < 2:
        return nothing
    mu = density_mode(below)
    below = values[: np.searchsorted(values, mu)]
    above = values[np.searchsorted(values, mu, side="right") :]
    if len(below) < 2 or len(above) < 2:
        return nothing
    # sqrt(2) and n - 1 are preprocessCore's
    sigma = math.sqrt(2.0 * float(np.square(below - mu).sum()) / (len(below) - 1))
    peak = density_mode(above - mu)
    # not a division by 0; a peak below 0 is possible, as a density extends beyond its values
    alpha = 1.0 / (peak or math.nan)
    if not (0.0 < sigma < math.inf and 0.0 < abs(alpha) < math.inf):
        return nothing
    return mu, sigma, alpha


def density_mode(values: np.ndarray) -> float:
    """The point where the density estimate of values (p,), in increasing order, is highest.

    The first such point; NaN if there is no grid. Epanechnikov kernel, bandwidth by Silverman's
    rule (R's `bw.nrd0`), by convolution on a grid as in R's `density`.
    """
    from scipy.fft import irfft, rfft

    width = _density_bandwidth(values)
    low, high = values[0] - CUT_BANDWIDTHS * width, values[-1] + CUT_BANDWIDTHS * width
    step = (high - low) / (GRID_POINTS - 1)
    if not 0.0 < step < math.inf:  # overflow or underflow
        return math.nan
    # twice the grid, half of it empty: the convolution is circular, and must not wrap around
    mass = np.zeros(2 * GRID_POINTS)
    spread_mass(values, low, step, mass)
    # distances at which the kernel is evaluated, as R has them: not quite multiples of `step`
    steps = np.arange(GRID_POINTS + 1) / (2 * GRID_POINTS - 1) * 2 * (high - low)
    reach = width * math.sqrt(5.0)
    # 3 / (4 r) (1 - (d / r)^2), with r = sqrt(5) widths: its standard deviation is the width
    half = np.where(steps < reach, 3.0 / (4.0 * reach) * (1.0 - (steps / reach) ** 2), 0.0)
    # symmetric: negative distances stand at the end
    kernel = np.concatenate([half, half[-2:0:-1]])
    density = irfft(rfft(mass) * rfft(kernel), 2 * GRID_POINTS)[:GRID_POINTS]
    grid = np.arange(GRID_POINTS) / (GRID_POINTS - 1)
    rest = (CUT_BANDWIDTHS - SHOWN_BANDWIDTHS) * width
    shown = grid * ((high - rest) - (low + rest)) + (low + rest)
    return float(shown[np.argmax(np.interp(shown, grid * (high - low) + low, density))])


def _density_bandwidth(values: np.ndarray) -> float:
    """0.9 times the smaller of standard deviation and IQR / 1.34, times n^(-1/5)."""
    deviation = float(np.std(values, ddof=1))
    least = min(
        deviation, (_quantile_of_rising(values, 0.75) - _quantile_of_rising(values, 0.25)) / 1.34
    )
    # where that is 0, as R: the standard deviation, else the magnitude of a value, else 1
    return 0.9 * (least or deviation or abs(float(values[0])) or 1.0) * len(values) ** -0.2


def _quantile_of_rising(values: np.ndarray, share: float) -> float:
    """Quantile (R's type 7) of values in increasing order."""
    place = (len(values) - 1) * share
    low = int(place)
    above = values[min(low + 1, len(values) - 1)]
    return float(values[low] + (place - low) * (above - values[low]))


def _spread_mass(values: np.ndarray, low: float, step: float, mass: np.ndarray) -> None:
    """Add to `mass` each value's 1/p, shared linearly between its two neighbours on the grid."""
    # the grid begins below all values, so that `left` is never negative
    last = GRID_POINTS - 2
    for value in values:
        place = (value - low) / step
        left = math.floor(place)
        share = place - left
        if left <= last:
            mass[left] += 1.0 - share
            mass[left + 1] += share
        elif left == last + 1:
            mass[left] += 1.0 - share
    part = 1.0 / len(values)
    for i in range(GRID_POINTS):
        mass[i] *= part


def _expected_signal(
    values: np.ndarray, mu: float, sigma: float, alpha: float, out: np.ndarray
) -> None:
    """Fill out (p,) with a + sigma phi(a/sigma)/Phi(a/sigma), a = x - mu - alpha sigma^2.

    Far to the left Phi underflows and the sum loses its digits. There it is computed as
    sigma / (t + 2/(t + 3/(t + ...))), t = -a/sigma, which has neither fault.
    """
    shift = mu + alpha * sigma * sigma
    for i in range(len(values)):
        z = (values[i] - shift) / sigma
        if z < CONTINUED_FRACTION_BELOW:
            # Laplace's fraction: phi(t) / Phi(-t) = t + 1/(t + 2/(t + 3/(t + ...))). Added to
            # a/sigma = -t it leaves 1/(t + 2/(t + ...)), which is evaluated from its last term on.
            rest = -z
            for term in range(FRACTION_TERMS, 1, -1):
                rest = term / rest - z
            out[i] = sigma / rest
        else:
            # Phi by erfc, which keeps its digits for negative z
            lower = 0.5 * math.erfc(-z / math.sqrt(2.0))
            ratio = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / lower
            out[i] = (values[i] - shift) + sigma * ratio


spread_mass = jit(_spread_mass)
expected_signal = jit(_expected_signal)
