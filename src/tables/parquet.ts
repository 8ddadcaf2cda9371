import { openAsBlob } from 'node:fs';
import { createRequire } from 'node:module';
import type * as ParquetWasm from 'parquet-wasm/node';
import { plainStart } from './arrow.ts';
import { TableError } from './table.ts';

/** Reads and writes Parquet files, in chunks of Arrow. */

/** Loaded when needed: compiling it takes a tenth of a second. */
const wasm = (): typeof ParquetWasm =>
  createRequire(import.meta.url)('parquet-wasm/node') as typeof ParquetWasm;

export interface ParquetInput {
  rows: number;
  /** A table without rows, for its columns. */
  schema: Uint8Array;
  /** Chunks of rows, from the row `from` on. */
  chunks(rows: number, from: number): AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

export async function openParquet(path: string, bytes?: Uint8Array<ArrayBuffer>): Promise<ParquetInput> {
  const blob = bytes ? new Blob([bytes]) : await openAsBlob(path);
  const file = await wasm()
    .ParquetFile.fromFile(blob)
    .catch((error: unknown) => {
      throw new TableError(`${path} isn't a Parquet file, or is damaged.`, { cause: error });
    });
  return {
    rows: file.metadata().fileMetadata().numRows(),
    schema: file.schema().intoIPCStream(),
    async *chunks(batchSize, offset) {
      const stream = await file.stream({ batchSize, offset });
      for await (const batch of stream as unknown as AsyncIterable<ParquetWasm.RecordBatch>)
        yield new Uint8Array(batch.intoIPCStream());
    },
  };
}

const GROUP_ROWS = 65_536;
/** As many as a chunk has. By default the writer begins anew after 1,024. */
const BATCH_ROWS = 16_384;

export interface ParquetWriter {
  /** Adds a chunk of Arrow. */
  add(chunk: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

/** `plain`: columns whose values all differ. `mixed`: columns with the same values everywhere, so that their smallest and largest say nothing. */
export async function openParquetWriter(
  write: (bytes: Uint8Array) => Promise<void>,
  { plain, mixed }: { plain: readonly string[]; mixed: readonly string[] },
): Promise<ParquetWriter> {
  const { Table, transformParquetStream, Compression, EnabledStatistics, WriterPropertiesBuilder } = wasm();
  let properties = new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setStatisticsEnabled(EnabledStatistics.Chunk)
    .setMaxRowGroupSize(GROUP_ROWS)
    .setWriteBatchSize(BATCH_ROWS)
    .setCreatedBy('monroney');
  for (const name of plain) properties = properties.setColumnDictionaryEnabled(name, false);
  for (const name of mixed) properties = properties.setColumnStatisticsEnabled(name, EnabledStatistics.None);
  const { readable, writable } = new TransformStream<ParquetWasm.RecordBatch, ParquetWasm.RecordBatch>();
  const batches = writable.getWriter();
  const output = transformParquetStream(readable, properties.build()).then(async (stream) => {
    for await (const part of stream as unknown as AsyncIterable<Uint8Array>) await write(part);
  });
  // Its error is thrown by the next call.
  output.catch(() => {});
  let hasBegun = false;
  async function add(chunk: Uint8Array): Promise<void> {
    const table = Table.fromIPCStream(chunk);
    const added = table.recordBatches();
    table.free();
    for (const batch of added) await Promise.race([batches.write(batch), output]);
  }
  return {
    async add(chunk) {
      if (!hasBegun) await add(plainStart(chunk));
      hasBegun = true;
      await add(chunk);
    },
    async finish() {
      await Promise.race([batches.close(), output]);
      await output;
    },
  };
}
