/**
 * The drills in `npm test` are short: enough to catch what breaks outright. `TEST_SIZE=long` runs them longer, to catch
 * what breaks now and then; `.ci/run` does both.
 */
export const isLong = process.env['TEST_SIZE'] === 'long';
