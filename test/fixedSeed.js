const fc = require('fast-check');

/** Each run of the tests tries the same values; `npm run fuzz` tries others. */
fc.configureGlobal({ seed: 22 });
