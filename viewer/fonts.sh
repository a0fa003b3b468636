#!/usr/bin/env bash
# Makes src/fonts from DejaVu Sans (Debian's fonts-dejavu-core, or the folder given): the characters that pages use,
# without hinting. Needs pyftsubset (PyPI: fonttools, brotli). Run it only when a character is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
from="${1:-/usr/share/fonts/truetype/dejavu}"
# Latin, Greek, raised and lowered figures, signs of mathematics, and the marks that the page draws as text.
signs='U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032,U+2033,U+2070-208E,U+2190-2194,U+2202,U+2206,U+2211,U+2212,U+221A,U+221E,U+222B,U+2248,U+2260,U+2264,U+2265'
marks='U+25B2,U+25B3,U+25B6,U+25BC,U+25BD,U+25C6,U+25C7,U+25CB,U+25CF,U+2713,U+2717,U+275A'
make() {
  pyftsubset "$from/$1.ttf" --unicodes="U+0020-007E,U+00A0-00FF,U+0391-03A9,U+03B1-03C9,$3,$marks" --flavor=woff2 --no-hinting \
    --layout-features='' --name-IDs='0,1,2,5,13,14' --output-file="src/fonts/$2.woff2"
}
make DejaVuSans regular "U+0100-017F,U+0302-0308,U+03D1,U+03D5,U+1D40,U+1D50,U+1D62,U+20AC,U+2126,U+2153,U+21D2,U+2295,$signs"
make DejaVuSans-Bold bold "$signs"
