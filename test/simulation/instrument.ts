import { join } from 'node:path';
import { sourceFiles } from '../unit/project/sourceFiles';

const root = join(__dirname, '../..');
/** A file that the simulation replaces. */
const REPLACED = 'nodes/shared/limiter/clock.ts';

type Work = (this: unknown, ...given: unknown[]) => unknown;

/** Called with the name of each function of the nodes before it runs. If the probe throws, so does the function. */
export type Probe = (name: string) => void;

/**
 * Adds a probe to everything that the nodes export: functions, the methods of classes, and the functions in tables.
 * Must be called before anything in `nodes/` is loaded.
 */
export function instrument(probe: Probe): void {
	for (const { path } of sourceFiles('nodes')) {
		if (path.endsWith('.d.ts') || path === REPLACED) continue;
		const file = join(root, path);
		const about = path.replace(/^nodes\/|\.ts$/g, '');
		jest.doMock(file, () => {
			const real = jest.requireActual<Record<string, unknown>>(file);
			const names = Object.keys(real);
			return Object.defineProperties(
				{ __esModule: true },
				Object.fromEntries(
					names.map((name) => {
						const value = probed(real[name], `${about} ${name}`, probe);
						return [name, { enumerable: true, get: () => value }];
					}),
				),
			);
		});
	}
}

function probed(value: unknown, name: string, probe: Probe, depth = 0): unknown {
	if (typeof value === 'function') {
		if (!isClass(value)) return withProbe(value, name, probe);
		probeMethods(value, name, probe);
		probeMethods(value.prototype as object, name, probe);
	} else if (typeof value === 'object' && value !== null && depth < 4) {
		const prototype = Object.getPrototypeOf(value) as unknown;
		if (prototype !== Object.prototype && !Array.isArray(value)) return value;
		for (const [key, { value: inner, writable }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
			if (!writable) continue;
			(value as Record<string, unknown>)[key] = probed(inner, `${name}.${key}`, probe, depth + 1);
		}
	}
	return value;
}

function isClass(value: object): value is { prototype: object } {
	return /^class\b/.test(Function.prototype.toString.call(value));
}

function probeMethods(holder: object, name: string, probe: Probe): void {
	for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
		const { value, get, writable } = descriptor;
		const about = `${name}.${key}`;
		if (key === 'constructor') continue;
		if (typeof value === 'function' && writable) {
			Object.defineProperty(holder, key, { ...descriptor, value: withProbe(value as Work, about, probe) });
		} else if (get && descriptor.configurable) {
			Object.defineProperty(holder, key, {
				...descriptor,
				get: withProbe(get as Work, about, probe) as never,
			});
		}
	}
}

/** The same function with a probe, of the same kind: one that is asynchronous rejects. */
function withProbe(work: Work, name: string, probe: Probe): Work {
	switch (work.constructor.name) {
		case 'AsyncFunction':
			return async function (...given) {
				probe(name);
				return await work.apply(this, given);
			};
		case 'AsyncGeneratorFunction':
			return async function* (...given) {
				probe(name);
				yield* work.apply(this, given) as AsyncGenerator<unknown>;
			};
		default:
			return function (...given) {
				probe(name);
				return work.apply(this, given);
			};
	}
}
