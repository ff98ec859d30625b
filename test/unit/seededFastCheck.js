const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** All runs of the tests try the same values; `npm run stress` tries others. */
fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 22) });

module.exports = fc;
