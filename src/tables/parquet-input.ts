import { arrowRows, valuesOf } from './arrow-values.ts';
import type { ChunkSize, Position } from './chunks.ts';
import { vinColumnOf } from './header.ts';
import type { Chunk, InputPlan, TableInput } from './input.ts';
import { openParquet } from './parquet.ts';
import { firstOf } from './streams.ts';
import { cellText } from './table.ts';

const SAMPLE_ROWS = 200;

/** Reads a Parquet file, from `bytes` if they are given. `vinColumn`: null unless the caller named one. */
export async function openParquetInput(
  name: string,
  vinColumn: string | null,
  bytes?: Uint8Array<ArrayBuffer>,
): Promise<Omit<TableInput, 'identity' | 'close'>> {
  const file = await openParquet(name, bytes);
  const [first] = await firstOf(file.chunks(SAMPLE_ROWS, 0));
  const { columns } = arrowRows(first ?? file.schema);
  const names = columns.map(({ name }) => name);
  const values = first ? columns.map(({ vector }) => valuesOf(vector).map(cellText)) : [];
  const cells = Array.from({ length: values[0]?.length ?? 0 }, (_, row) =>
    values.map((column) => column[row]!),
  );
  const plan: InputPlan = {
    format: 'parquet',
    columns: names,
    types: names.map(() => 'text'),
    delimiter: ',',
    firstRow: 1,
    vinColumn: vinColumnOf(names, cells, vinColumn),
  };
  return {
    plan,
    bom: false,
    notices: [],
    async *chunks(size: ChunkSize, from: Position): AsyncGenerator<Chunk> {
      let next = from;
      for await (const arrow of file.chunks(size.rows, from.offset)) {
        const { row, offset } = next;
        const { rows } = arrowRows(arrow);
        next = { offset: offset + rows, row: row + rows };
        yield { arrow, row, next };
      }
      // A file without rows still has columns.
      if (file.rows === 0) yield { arrow: new Uint8Array(file.schema), row: 1, next };
    },
    share: ({ offset }: Position) => offset / Math.max(file.rows, 1),
  };
}
