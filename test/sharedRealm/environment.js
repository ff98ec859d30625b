const { createRequire } = require('node:module');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');
require('../quickExit');

/**
 * A test environment in the realm of the worker, so that what takes long to load is loaded once per worker and not once per
 * file: n8n's engine takes two seconds. Code runs faster in it, too. Jest loads the modules of the project and of the tests
 * anew for each file, as ever.
 */

/** Stands for the realm of the worker, where Jest asks for a context. */
const WORKER = vm.createContext({});

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(
		code,
		parameters,
		parsingContext === undefined || parsingContext === WORKER ? options : { ...options, parsingContext },
	);

module.exports = class SharedRealm {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern = null;
	#environment = { ...process.env };
	#console = globalThis.console;

	constructor() {
		globalThis.requireOnce = createRequire(module.filename);
	}

	async setup() {}

	async teardown() {
		for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
		Object.assign(process.env, this.#environment);
		globalThis.console = this.#console;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return WORKER;
	}
};
