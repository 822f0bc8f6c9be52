"""One picture of how a get grows, as SVG without a library."""

import math

WIDTH, HEIGHT, COLUMNS = 330, 230, 2
LEFT, BOTTOM, TOP, RIGHT = 52, 40, 34, 24
COLOURS = ["#0b6e4f", "#b3541e"]


def plot(panels, path):
    rows = math.ceil(len(panels) / COLUMNS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * COLUMNS} {HEIGHT * rows}" '
        'font-family="sans-serif" font-size="11" role="img">',
        '<title>Median time of a get, in milliseconds</title>', '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for index, panel in enumerate(panels):
        x, y = index % COLUMNS * WIDTH, index // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">'] + draw(panel) + ["</g>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts + ["</svg>"]) + "\n")


def draw(panel):
    counts = sorted({count for points in panel.series.values() for count, _ in points})
    highest = ceiling(max(value for points in panel.series.values() for _, value in points))
    span = math.log(counts[-1] / counts[0]) or 1

    def across(count):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(count / counts[0]) / span

    def up(value):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / highest

    parts = [f'<text x="{LEFT}" y="14" font-weight="bold">{panel.title}</text>']
    for step in range(5):
        value = highest * step / 4
        parts.append(f'<path d="M{LEFT} {up(value):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for count in counts:
        parts.append(
            f'<text x="{across(count):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{count:,}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{panel.unit}; upwards: ms</text>')
    for index, (name, points) in enumerate(panel.series.items()):
        path = "L".join(f"{across(count):.1f} {up(value):.1f}" for count, value in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[index]}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{across(count):.1f}" cy="{up(value):.1f}" r="2.5" fill="{COLOURS[index]}"/>'
            for count, value in points
        ]
        parts.append(f'<text x="{LEFT + 4}" y="{TOP + 8 + 13 * index}" fill="{COLOURS[index]}">{name}</text>')
    return parts


def ceiling(value):
    """The next of 1, 2, 4, 8 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(power * factor for factor in (1, 2, 4, 8, 10) if power * factor >= value)
