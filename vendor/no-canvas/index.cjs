// pdfjs-dist looks for these when it is loaded and warns where they are missing. Reading text uses neither.
exports.DOMMatrix = function DOMMatrix() {};
exports.Path2D = function Path2D() {};
