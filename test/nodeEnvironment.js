require('./quickExit');

module.exports = require('jest-environment-node').TestEnvironment;
