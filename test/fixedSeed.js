const fc = require('fast-check');

/** Each run of the tests tries the same values; `npm run stress` tries others. */
fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 22) });
