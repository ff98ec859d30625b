import { type Fields, asRecord, textOr } from '../../../shared/plain/values';
import { objectsIn } from '../assembler';

/**
 * Adds a part with a piece of a call whose arguments are streamed (`streamFunctionCallArguments` of Vertex AI): the first
 * piece has the name, and the last one may have nothing. A call of which the end is missing keeps `willContinue`, which
 * the reader takes for arguments that were cut off.
 *
 * @param parts those of the candidate so far @returns whether the part is such a piece
 */
export function addCallPiece(parts: unknown[], { functionCall, ...others }: Fields): boolean {
	const piece = asRecord(functionCall);
	if (!piece) return false;
	const { partialArgs, willContinue = false, ...call } = piece;
	const isFirst = Boolean(call.name) && (partialArgs !== undefined || willContinue === true);
	if (isFirst) parts.push({ functionCall: { args: {}, ...call, willContinue: true } });
	const part = asRecord(parts.at(-1));
	const open = asRecord(part?.functionCall);
	if (open?.willContinue !== true || (call.name && !isFirst)) return false;
	Object.assign(part!, others);
	const args = asRecord(open.args);
	// A tool must not run without an argument that cannot be read.
	if (!args || !objectsIn(partialArgs).every((one) => addArgument(args, one))) open.args = null;
	else if (willContinue !== true) delete open.willContinue;
	return true;
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;
const VALUES = ['stringValue', 'numberValue', 'boolValue', 'nullValue'];

/** Adds a piece of an argument: texts grow. @returns false if it cannot be read */
function addArgument(args: Fields, { jsonPath, ...piece }: Fields): boolean {
	const path = textOr(jsonPath);
	const steps = [...path.matchAll(STEP)];
	const name = VALUES.find((one) => one in piece);
	if (steps.length === 0 || name === undefined || path !== `$${steps.map(([step]) => step).join('')}`)
		return false;
	let target: Fields = args;
	for (const [index, [, plain, place, single, double]] of steps.entries()) {
		const key = plain ?? place ?? single ?? double;
		// Assigning it would change the prototype, and a place beyond the end would make a list of any length.
		if (key === '__proto__' || (Array.isArray(target) && Number(key) > target.length)) return false;
		const before = Object.hasOwn(target, key) ? target[key] : undefined;
		if (index === steps.length - 1) {
			const value = name === 'nullValue' ? null : piece[name];
			target[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
			return true;
		}
		const inner = before ?? (steps[index + 1][2] === undefined ? {} : []);
		if (typeof inner !== 'object') return false;
		target[key] = inner;
		target = inner as Fields;
	}
	return false;
}
