"""
Writes src/pages/card/letters.json, the outlines of the letters on link preview cards:
python3 tools/card-letters.py regular.woff semibold.woff (Inter's Latin subset; needs fonttools).

It contains outlines instead of a font, because the container image has neither fonts nor fontconfig.
"""
import json
import sys
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

CHARACTERS = [*range(0x20, 0x7F), *range(0xA1, 0x100), 0x2013, 0x2014, 0x2019, 0x2026, 0x2212]


def letters(path):
    font = TTFont(path)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    outlines = {}
    for code in CHARACTERS:
        if code not in names:
            continue
        pen = SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
        glyphs[names[code]].draw(pen)
        outlines[chr(code)] = [round(glyphs[names[code]].width), pen.getCommands()]
    return {"unitsPerEm": font["head"].unitsPerEm, "letters": outlines}


regular, semibold = map(letters, sys.argv[1:3])
with open("src/pages/card/letters.json", "w") as out:
    json.dump({"regular": regular, "semibold": semibold}, out, ensure_ascii=False, separators=(",", ":"))
    out.write("\n")
