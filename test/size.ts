/**
 * The drills in `npm test` are short, enough to catch consistent failures. `TEST_SIZE=long` runs them longer, to catch
 * intermittent ones. `.ci/run` does both.
 */
export const isLong = process.env['TEST_SIZE'] === 'long';
