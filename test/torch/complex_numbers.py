"""Complex numbers and Fourier transforms, for export.py: a program's name, functions, inputs, and dimensions that are open."""

import torch
from families import spread
from torch import nn
from torch.nn import functional as F

aten = torch.ops.aten

# Functions of complex numbers z and w and of real ones x.
ARITHMETIC = [
    lambda z, w, x: z * w,
    lambda z, w, x: z / w,
    lambda z, w, x: z * x,
    lambda z, w, x: x / w,
    lambda z, w, x: z / 3,
    lambda z, w, x: 2j * x + 1,
    lambda z, w, x: z + x - w * (0.5 - 2j),
    lambda z, w, x: torch.sub(x, z, alpha=2),
    lambda z, w, x: z.abs() + z.angle() + x.angle(),
    lambda z, w, x: z.conj() * w.mH,
    lambda z, w, x: torch.view_as_real(z.exp() + w.log()),
    lambda z, w, x: z.sqrt() + w.rsqrt(),
    lambda z, w, x: z**2 + w**1.5 + z**w,
    lambda z, w, x: z.sin() + z.cos() + w.sinh() * w.cosh(),
    lambda z, w, x: z.tanh() + w.sigmoid() + w.reciprocal(),
    lambda z, w, x: z.sgn() + torch.zeros_like(z).sgn(),
    lambda z, w, x: torch.polar(x.abs(), x * 3),
    lambda z, w, x: torch.complex(x, x + 1).real + z.imag,
    lambda z, w, x: (z == z.real + 0j) | (z != w),
    lambda z, w, x: torch.isnan(z / 0) | torch.isfinite(w),
    lambda z, w, x: z @ w,
    lambda z, w, x: x.to(z.dtype) @ w,
    lambda z, w, x: torch.einsum("ij,jk,kl->il", z, w, z),
    lambda z, w, x: torch.addmm(z, w, z, beta=0.5, alpha=2j),
    lambda z, w, x: F.linear(z, w, x[0] * 1j),
    lambda z, w, x: torch.vdot(z[0], w[1]) + torch.dot(z[0], w[1]),
    lambda z, w, x: torch.addcmul(z, w, x, value=2),
    lambda z, w, x: torch.linalg.vector_norm(z, dim=1) + z.norm(),
    lambda z, w, x: z.to(torch.complex128) * x.double(),
]

# What moves numbers, and adds them up.
MOVES = [
    lambda z, w, x: torch.cat([z, x, w], 1),
    lambda z, w, x: torch.stack([z, w]).reshape(2, -1)[:, ::2],
    lambda z, w, x: torch.where(x > 0, z, 0),
    lambda z, w, x: z.masked_fill(x > 0, 2 - 1j),
    lambda z, w, x: z.T.flip(0).roll(1, 1).cumsum(0),
    lambda z, w, x: z.sum(0, keepdim=True) - w.mean(),
    lambda z, w, x: F.pad(z, (1, 2)),
    lambda z, w, x: z[[1, 0]][:, torch.tensor([0, 2, 2])],
    lambda z, w, x: torch.tril(z) + torch.diag(w[0]),
    lambda z, w, x: torch.ones(3, 3, dtype=torch.complex64) * z + torch.full((3, 3), 2 + 1j),
    lambda z, w, x: torch.ones_like(z) + z.new_zeros(3, 3) + x.to(torch.complex64),
    lambda z, w, x: z.unbind(1)[1].expand(2, 3) - w.chunk(3)[2],
    lambda z, w, x: written(z, w, x),
    lambda z, w, x: torch.view_as_complex(torch.view_as_real(z).flip(-1)),
]


def written(z, w, x):
    """Changes in place."""
    z = z.clone()
    z[1:, :2] = w[:2, 1:]
    z[0, 0] = 3
    z.select(1, 2).mul_(1j)
    z += x
    return z


def transforms(x, z):
    """Transforms of axes, with all scales, and with lengths that cut off or add."""
    norms = ("backward", "ortho", "forward")
    made = [torch.fft.fft(x, norm=norm) * torch.fft.ifft(z, norm=norm) for norm in norms]
    made += [torch.fft.rfft(x, n, dim=1) for n in (5, 6, 9)]
    made += [torch.fft.irfft(z, n, dim=-1, norm=norm) for n in (None, 5, 8) for norm in norms]
    made += [torch.fft.fft2(z), torch.fft.ifft2(z, (3, 8)), torch.fft.fftn(x), torch.fft.ifftn(z, dim=(0, 2))]
    made += [torch.fft.rfft2(x), torch.fft.irfft2(z, (5, 7)), torch.fft.rfftn(x, dim=(2, 0)), torch.fft.irfftn(z)]
    made += [torch.fft.hfft(z, 7), torch.fft.ihfft(x), torch.fft.fftshift(z), torch.fft.ifftshift(x, dim=(0, 2))]
    made += [torch.fft.fftfreq(5, 0.1), torch.fft.rfftfreq(6), aten._fft_c2c(z, [0, 1], 1, False)]
    made += [aten._fft_r2c(x, [1, 2], 2, True), aten._fft_r2c(x, [2], 0, False), aten._fft_c2r(z, [1, 2], 1, 6)]
    return flat(made)


def long(x):
    """Transforms that are split into shorter ones."""
    whole, half = torch.fft.fft(x), torch.fft.rfft(x)
    return flat([whole, half, torch.fft.irfft(half, 2048), torch.fft.ifft(whole).real])


def flat(tensors):
    """The numbers of tensors, and the parts of complex ones."""
    parts = [torch.view_as_real(y.resolve_conj()) if y.is_complex() else y for y in tensors]
    return torch.cat([part.reshape(-1) for part in parts])


class Frames(nn.Module):
    """Spectrograms of several kinds, and the signal of one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(16))
        self.register_buffer("mel", spread(5, 9, low=0.0, high=1.0))

    def forward(self, x):
        whole = torch.stft(x, 16, 4, window=self.window, return_complex=True)
        cut = torch.stft(x, 16, 5, 12, self.window[:12], center=False, normalized=True, return_complex=True)
        two = torch.stft(x, 8, onesided=False, window=torch.ones(8), return_complex=True)
        mel = (self.mel @ whole.abs().square() + 1e-3).log()
        again = torch.istft(whole, 16, 4, window=self.window, length=x.shape[-1])
        short = torch.istft(whole * 1j, 16, 4, window=self.window)
        return flat([whole, cut, two, mel, again, short])


class Operator(nn.Module):
    """A layer of a Fourier neural operator: products of some frequencies with complex weights."""

    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.complex(spread(2, 3, 2, 2), spread(2, 3, 2, 2, low=1.0, high=-1.0)))
        self.wide = nn.Parameter(torch.complex(spread(2, low=1.0).double(), spread(2).double()))

    def forward(self, x):
        spectrum = torch.fft.rfft2(x)
        made = torch.zeros(x.shape[0], 3, x.shape[2], x.shape[3] // 2 + 1, dtype=torch.cfloat)
        made[:, :, :2, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, :2, :2], self.weights)
        made[:, :, -2:, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, -2:, :2], self.weights.conj())
        return flat([torch.fft.irfft2(made, s=x.shape[2:]), (self.wide * self.wide).abs().float()])


class Rotary(nn.Module):
    """Queries that are turned by complex angles."""

    def __init__(self):
        super().__init__()
        frequencies = 1.0 / 100.0 ** (torch.arange(0, 8, 2) / 8)
        angles = torch.outer(torch.arange(6), frequencies)
        self.register_buffer("angles", torch.polar(torch.ones_like(angles), angles))

    def forward(self, x):
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * self.angles[None, : x.shape[1], None]).flatten(3).type_as(x)


class Vocoder(nn.Module):
    """The head of a vocoder: sizes and angles of frequencies, and the signal of them."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 18)
        self.register_buffer("window", torch.hann_window(16))

    def forward(self, x):
        size, angle = self.out(x).transpose(1, 2).chunk(2, dim=1)
        spectrum = size.exp().clip(max=100.0) * (angle.cos() + 1j * angle.sin())
        return torch.istft(spectrum, 16, 4, 16, self.window, center=True)


def numbers():
    """The programs."""
    z = torch.complex(spread(3, 3), spread(3, 3, low=1.5, high=-1.0) + 0.1)
    w = torch.complex(spread(3, 3, low=1.0, high=-2.0), spread(3, 3, low=0.3, high=1.1))
    x = spread(3, 3, low=-1.0, high=1.7)
    yield "complex", ARITHMETIC, (z, w, x), None
    yield "complex_moves", MOVES, (z, w, x), None
    c = torch.complex(spread(2, 3, 6), spread(2, 3, 6, low=1.0, high=-1.0))
    yield "fourier", [transforms], (spread(2, 3, 6), c), None
    yield "fourier_long", [long], (spread(1, 2048),), None
    torch.manual_seed(0)
    yield "frames", [Frames()], (spread(2, 60),), None
    yield "fourier_operator", [Operator()], (spread(2, 2, 6, 7),), None
    yield "complex_angles", [Rotary()], (spread(2, 4, 3, 8),), None
    yield "vocoder", [Vocoder()], (spread(2, 7, 4),), None
