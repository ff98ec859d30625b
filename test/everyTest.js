const { beforeEach, expect } = require('@jest/globals');

// A test that asserts nothing, for example because a loop over a table is empty, proves nothing.
beforeEach(() => expect.hasAssertions());
