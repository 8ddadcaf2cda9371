/**
 * Some tests in `npm test` are short, enough to catch consistent failures. `npm run test:slow` sets `TEST_SIZE=long` and runs
 * them longer, to catch intermittent ones.
 */
export const isLong = process.env['TEST_SIZE'] === 'long';
