import { z } from 'zod';
import { toJSONSchema } from 'zod/v4';
import { asRecord } from '../../shared/plain/values';

/** What tells the kinds of schemas apart. */
interface AnySchema {
	type?: unknown;
	/** Of zod 3. */
	_def?: unknown;
	/** Of zod 4. */
	_zod?: unknown;
}

/**
 * The JSON Schema of a tool's arguments, whatever the author of the tool used: JSON Schema, or zod in any version and
 * any copy. n8n's SDK converts only schemas of its own copy of zod.
 *
 * @param convert of the SDK; called only for what it is needed for
 */
export function argumentSchema(schema: unknown, convert: (ownSchema: unknown) => unknown): unknown {
	const { type, _def, _zod } = (asRecord(schema) ?? {}) as AnySchema;
	if (_zod !== undefined) return ofZodFour(schema as Parameters<typeof toJSONSchema>[0]);
	if (_def !== undefined) return convert(z.lazy(() => schema as z.ZodTypeAny));
	return typeof type === 'string' ? schema : convert(schema);
}

function ofZodFour(schema: Parameters<typeof toJSONSchema>[0]): unknown {
	// What a tool takes, not what it makes of it: a field with a default may be left out.
	return toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
