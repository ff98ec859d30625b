import { GatewayFailure } from '../../nodes/shared/failure/failure';

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const namesOf = (prototype: object) => Reflect.ownKeys(prototype).length;
const before = PROTOTYPES.map(namesOf);
const MAX_WORDS = 2_001;

/** @throws Error when the prototype of all objects has been changed */
function expectCleanPrototypes(): void {
	if (PROTOTYPES.some((prototype, index) => namesOf(prototype) !== before[index])) {
		throw new Error('A prototype was changed');
	}
}

/**
 * Calls a reader, which may only return a plain value or throw a failure in words.
 *
 * @returns the value, undefined for a failure
 */
export async function expectFailureOrValue(read: () => unknown): Promise<unknown> {
	let value: unknown;
	try {
		value = await read();
	} catch (error) {
		expectFailure(error);
		return undefined;
	} finally {
		expectCleanPrototypes();
	}
	expectPlain(value);
	return value;
}

/** @throws what was thrown, unless it is a failure of an answer, in words */
function expectFailure(thrown: unknown): asserts thrown is GatewayFailure {
	if (!(thrown instanceof GatewayFailure)) throw thrown;
	if (thrown.kind === 'input') throw new Error(`An answer is no input: ${thrown.message}`);
	expectWords(thrown.message, 'message');
	expectWords(thrown.description, 'description');
	expectPlain(thrown.toErrorItem());
}

/** @throws Error for words that people cannot read */
function expectWords(words: unknown, what: string): void {
	if (typeof words !== 'string' || words === '') throw new Error(`There is no ${what}`);
	if (words.length > MAX_WORDS) throw new Error(`The ${what} is too long: ${words.length}`);
	if (/\p{Cc}/u.test(words)) throw new Error(`The ${what} has control characters: ${JSON.stringify(words)}`);
	if (/\bundefined\b|\[object /.test(words)) throw new Error(`The ${what} is not in words: ${words}`);
}

/** @throws Error for a value that is not plain data, which n8n can copy and save */
export function expectPlain(root: unknown): void {
	const open: Array<[unknown, string]> = [[root, 'value']];
	for (let next = open.pop(); next; next = open.pop()) {
		const [value, path] = next;
		if (
			value === undefined ||
			Number.isNaN(value) ||
			['function', 'symbol', 'bigint'].includes(typeof value)
		) {
			throw new Error(`${path} is ${String(value)}`);
		}
		if (typeof value !== 'object' || value === null) continue;
		for (const [name, inner] of Object.entries(value)) open.push([inner, `${path}.${name}`]);
	}
	structuredClone(root);
	JSON.stringify(root);
}
