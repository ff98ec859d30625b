import { asRecord, entryOf, toText } from '../../shared/plain/values';
import type { Fields } from '../formats/assembler';
import { allOrNone } from './closedForm';
import { ANNOTATIONS } from './keywords';

/** Keywords of the format that mean the same as in JSON Schema. */
const SAME = new Set([
	...['title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum', 'required'],
	...['minLength', 'maxLength', 'pattern', 'minProperties', 'maxProperties'],
]);
/** Keywords without which the form says less, which is checked anyway. */
const LEFT_OUT = new Set([
	...ANNOTATIONS,
	...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
]);
const TYPES: Record<string, string> = {
	array: 'ARRAY',
	boolean: 'BOOLEAN',
	integer: 'INTEGER',
	number: 'NUMBER',
	object: 'OBJECT',
	string: 'STRING',
};

/** A schema in the subset of OpenAPI that the generate-content format knows; undefined for one that it cannot express. */
export function openApiForm(schema: unknown): Fields | undefined {
	const fields = asRecord(schema);
	if (!fields) return undefined;
	const { type, properties, items, enum: values, anyOf, ...others } = fields;
	const form: Fields = {};
	for (const [name, value] of Object.entries(others)) {
		if (SAME.has(name)) form[name] = value;
		else if (!LEFT_OUT.has(name)) return undefined;
	}
	if (type !== undefined) {
		const types = [type].flat().filter((one) => one !== 'null');
		const known = types.length === 1 ? entryOf(TYPES, toText(types[0])) : undefined;
		if (known === undefined) return undefined;
		form.type = known;
		if (Array.isArray(type) && type.includes('null')) form.nullable = true;
	}
	if (values !== undefined) {
		if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined;
		Object.assign(form, { type: 'STRING', enum: values });
	}
	// The format has no object that may have any property.
	if (form.type === 'OBJECT' && properties === undefined) return undefined;
	const inner = innerForms({ properties, items, anyOf });
	return inner && { ...form, ...inner };
}

function innerForms({ properties, items, anyOf }: Fields): Fields | undefined {
	const forms: Fields = {};
	if (properties !== undefined) {
		const parts = Object.entries(asRecord(properties) ?? {});
		const known = parts.length > 0 && allOrNone(parts.map(([, part]) => openApiForm(part)));
		if (!known) return undefined;
		forms.properties = Object.fromEntries(parts.map(([name], index) => [name, known[index]]));
	}
	if (items !== undefined) {
		forms.items = openApiForm(items);
		if (!forms.items) return undefined;
	}
	if (anyOf !== undefined) {
		forms.anyOf = allOrNone(Array.isArray(anyOf) ? anyOf.map(openApiForm) : [undefined]);
		if (!forms.anyOf) return undefined;
	}
	return forms;
}
