import { type Fields, textOr } from '../../../shared/plain/values';
import { ANNOTATIONS } from '../../json/keywords';
import { check, each, eachNamed, fieldsOf, ifPossible } from '../schemaForm';

/** A schema in the subset of OpenAPI that the format knows; undefined for one that it cannot express. */
export function openApiForm(schema: unknown): Fields | undefined {
	return ifPossible(() => openForm(schema));
}

/** Keywords of the generate-content format that mean the same as in JSON Schema. */
const SAME = new Set([
	...['title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum', 'required'],
	...['minLength', 'maxLength', 'pattern', 'minProperties', 'maxProperties'],
]);
/** Keywords without which the form says less, which is checked anyway. */
const LEFT_OUT = new Set([
	...ANNOTATIONS,
	...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
]);
const TYPES: unknown[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function openForm(schema: unknown): Fields {
	const { type, enum: values, properties, items, anyOf, ...others } = fieldsOf(schema);
	const form: Fields = {};
	for (const [name, value] of Object.entries(others)) {
		if (SAME.has(name)) form[name] = value;
		else check(LEFT_OUT.has(name));
	}
	if (type !== undefined) {
		const types = [type].flat();
		const [known, ...more] = types.filter((one) => one !== 'null');
		check(TYPES.includes(known) && more.length === 0);
		form.type = textOr(known).toUpperCase();
		if (types.includes('null')) form.nullable = true;
	}
	if (values !== undefined) {
		check(Array.isArray(values) && values.every((value) => typeof value === 'string'));
		Object.assign(form, { type: 'STRING', enum: values });
	}
	// The format has no object that may have any property.
	if (form.type === 'OBJECT' || properties !== undefined) {
		form.properties = eachNamed(properties, openForm);
		check(Object.keys(form.properties as object).length > 0);
	}
	if (items !== undefined) form.items = openForm(items);
	if (anyOf !== undefined) form.anyOf = each(anyOf, openForm);
	return form;
}
