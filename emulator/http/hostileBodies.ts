/** Adds the field `deep`, which contains deeply nested arrays, to a JSON object or to the `data` of an envelope. */
export function deepJson(json: Buffer | undefined, levels: number): Buffer {
	const original: unknown = json ? JSON.parse(json.toString('utf8')) : {};
	const isEnvelope = isRecord(original) && isRecord(original.data);
	const marked = isEnvelope
		? { ...original, data: { ...(original.data as object), deep: 0 } }
		: { ...(original as object), deep: 0 };
	// Built as text, because JSON.stringify would overflow the stack.
	const deep = `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`;
	return Buffer.from(JSON.stringify(marked).replace(/"deep":0(?=\}*[,}])/, () => deep));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Inserts bytes that are not valid UTF-8: after the opening quote of the first string value, or of the first name, or in
 * the middle of the body.
 */
export function invalidUtf8(body: Buffer): Buffer {
	const text = body.toString('latin1');
	const value = /:\s*"/.exec(text) ?? /"/.exec(text);
	const position = value ? value.index + value[0].length : Math.floor(body.length / 2);
	return Buffer.concat([
		body.subarray(0, position),
		Buffer.from([0xff, 0xc3, 0x28]),
		body.subarray(position),
	]);
}
