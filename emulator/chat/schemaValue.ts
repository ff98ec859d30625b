import { excerpt } from '../text';

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const maxDepth = 12;

/** The texts from which values are made. */
export interface ValueSource {
	text: string;
	/** Texts for lists, for example headlines. */
	points: string[];
}

/** The part of a text that best fits a field of this name: a quotation, a name after a preposition, or the whole text. */
function textFor(name: string, text: string): string {
	if (/^(?:query|question|text|input|prompt|message|content)$/i.test(name)) return excerpt(text, 200);
	const quoted = /["“'「]([^"”'」]+)["”'」]/.exec(text)?.[1];
	const named =
		/\b(?:in|for|at|of|from|to|about|on)\s+(\p{Lu}[\p{Letter}-]*(?:\s\p{Lu}[\p{Letter}-]*)*)/u.exec(
			text,
		)?.[1];
	return quoted ?? named ?? excerpt(text, 200);
}

function numberFor(schema: Schema, text: string): number {
	const { minimum, maximum } = schema;
	let value = Number(/-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? 1);
	if (schema.type === 'integer') value = Math.round(value);
	if (typeof minimum === 'number') value = Math.max(minimum, value);
	if (typeof maximum === 'number') value = Math.min(maximum, value);
	return value;
}

function typeOf(schema: Schema): unknown {
	const types = [schema.type].flat();
	const type = types.find((candidate) => candidate !== 'null') ?? (schema.properties ? 'object' : 'string');
	// The generate-content format writes types in upper case.
	return typeof type === 'string' ? type.toLowerCase() : type;
}

function resolve(schema: Schema, root: Schema): Schema {
	const alternative = [schema.anyOf, schema.oneOf, schema.allOf].flat().find(isObject);
	if (alternative) return resolve(alternative, root);
	if (typeof schema.$ref !== 'string') return schema;
	const target = schema.$ref
		.replace(/^#\/?/, '')
		.split('/')
		.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
	return isObject(target) ? target : {};
}

/**
 * Returns a value that matches a JSON Schema, with texts and numbers from the source.
 * @param name name of the field
 */
export function valueFor(schema: Schema, source: ValueSource, name = '', root = schema, depth = 0): unknown {
	const resolved = resolve(schema, root);
	const { text } = source;
	if ('const' in resolved) return resolved.const;
	if (Array.isArray(resolved.enum)) {
		const allowed: unknown[] = resolved.enum;
		const mentioned = allowed.find(
			(value) => typeof value === 'string' && text.toLowerCase().includes(value.toLowerCase()),
		);
		return mentioned ?? allowed[0];
	}
	switch (typeOf(resolved)) {
		case 'object': {
			const properties = isObject(resolved.properties) ? resolved.properties : {};
			const required = Array.isArray(resolved.required) ? resolved.required : [];
			// A schema may contain itself, so deeper levels include only required properties.
			const names = Object.keys(properties).filter((key) => depth < 3 || required.includes(key));
			if (depth > maxDepth) return {};
			return Object.fromEntries(
				names.map((key) => {
					const property = properties[key];
					return [key, valueFor(isObject(property) ? property : {}, source, key, root, depth + 1)];
				}),
			);
		}
		case 'array': {
			const items = isObject(resolved.items) ? resolved.items : {};
			const { minItems, maxItems = Infinity } = resolved;
			if (
				typeOf(resolve(items, root)) === 'string' &&
				!items.enum &&
				source.points.length >= Number(minItems ?? 1)
			) {
				return source.points.slice(0, Number(maxItems));
			}
			const count = typeof minItems === 'number' ? minItems : depth > 3 ? 0 : 1;
			return Array.from({ length: count }, () => valueFor(items, source, name, root, depth + 1));
		}
		case 'integer':
		case 'number':
			return numberFor({ ...resolved, type: typeOf(resolved) }, text);
		case 'boolean':
			return true;
		case 'null':
			return null;
		default:
			return textFor(name, text);
	}
}
