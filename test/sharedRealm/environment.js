const { AsyncLocalStorage } = require('node:async_hooks');
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');
require('../quickExit');

/**
 * A test environment in the realm of the worker. Packages that take long to load are loaded once per worker instead of
 * once per file; n8n's engine, for example, takes two seconds. Code also runs faster in this realm. As usual, Jest
 * loads the modules of the project and of the tests anew for each file.
 */

/** Represents the realm of the worker where Jest requires a context. */
const WORKER = vm.createContext({});

/** Modules are compiled, and their hot functions optimized, once per worker, except for those that import others later. */
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
	if (options?.parsingContext !== WORKER) return compileFunction(code, parameters, options);
	const compile = () => compileFunction(code, parameters, { ...options, parsingContext: undefined });
	if (code.includes('import(')) return compile();
	const key = `${options.filename}\n${code}`;
	if (!compiled.has(key)) compiled.set(key, compile());
	return compiled.get(key);
};

/** Jest has one for each file, and leaves it enabled, which makes all promises of the worker slower. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
	storages.add(this);
	return run.apply(this, given);
};

/** The symbol under which `jest.setTimeout` keeps the limit of a file. */
const TIME_LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Where Jest keeps what hears of each test: with those of earlier files, it would tell each result many times. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

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
		// Another environment in this worker would otherwise use it.
		delete globalThis.requireOnce;
		delete globalThis[TIME_LIMIT];
		delete globalThis[EVENT_HANDLERS];
		for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
		Object.assign(process.env, this.#environment);
		globalThis.console = this.#console;
		for (const storage of storages) storage.disable();
		storages.clear();
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return WORKER;
	}
};
