import * as fc from 'fast-check';

/** Tests of properties try the same values each time, so that none fails by itself. `TEST_SEED` chooses others. */
const { TEST_SEED } = process.env;
fc.configureGlobal({ seed: Number(TEST_SEED ?? 20_261_115) });

export { fc };
