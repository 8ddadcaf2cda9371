/** A picture with one bit per pixel, with lines, boxes and letters, for labels without text. */
import type { Picture } from './pdf.ts';
import { advanceOf, strokes } from './strokes.ts';

export class Raster {
  readonly width: number;
  readonly height: number;
  private readonly data: Buffer;
  private readonly stride: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.stride = Math.ceil(width / 8);
    this.data = Buffer.alloc(this.stride * height);
  }

  picture(): Picture {
    return { width: this.width, height: this.height, data: this.data };
  }

  fill(x: number, y: number, width: number, height: number): void {
    for (let row = Math.round(y); row < Math.round(y + height); row++)
      for (let column = Math.round(x); column < Math.round(x + width); column++) this.dot(column, row);
  }

  box(x: number, y: number, width: number, height: number, weight = 2): void {
    this.fill(x, y, width, weight);
    this.fill(x, y + height - weight, width, weight);
    this.fill(x, y, weight, height);
    this.fill(x + width - weight, y, weight, height);
  }

  /** Capitals of this height with their baseline at `y`; returns where the text ends. */
  text(x: number, y: number, height: number, text: string, weight = Math.max(1.1, height / 8)): number {
    const unit = height / 6;
    for (const letter of text.toUpperCase()) {
      for (const line of (strokes[letter] ?? '').split(' ')) this.polyline(x, y, unit, line, weight);
      x += unit * advanceOf(letter);
    }
    return x;
  }

  right(x: number, y: number, height: number, text: string, weight?: number): void {
    const unit = height / 6;
    let width = -unit * 1.6;
    for (const letter of text) width += unit * advanceOf(letter);
    this.text(x - width, y, height, text, weight);
  }

  private polyline(x: number, y: number, unit: number, points: string, weight: number): void {
    for (let index = 0; index + 4 <= points.length; index += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = Array.from(points.slice(index, index + 4), Number);
      const steps = Math.ceil(Math.hypot(x2 - x1, y2 - y1) * unit * 2);
      for (let step = 0; step <= steps; step++) {
        const share = step / steps;
        this.disc(x + unit * (x1 + (x2 - x1) * share), y - unit * (y1 + (y2 - y1) * share), weight / 2);
      }
    }
  }

  private disc(x: number, y: number, radius: number): void {
    for (let row = Math.floor(y - radius); row <= y + radius; row++)
      for (let column = Math.floor(x - radius); column <= x + radius; column++)
        if (Math.hypot(column + 0.5 - x, row + 0.5 - y) <= Math.max(radius, 0.71)) this.dot(column, row);
  }

  private dot(x: number, y: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const index = y * this.stride + (x >> 3);
    this.data[index] = this.data[index]! | (0x80 >> (x & 7));
  }
}
