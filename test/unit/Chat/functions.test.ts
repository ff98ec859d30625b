import { z } from 'zod';
import { z as four } from 'zod/v4';
import { functionsOf } from '../../../nodes/Chat/formats/functions';
import { requestTools } from '../../../nodes/Chat/model/request';

/** What n8n's SDK does: it converts what belongs to its own copy of zod, and returns everything else unchanged. */
const convert = jest.fn((schema: unknown) => {
	if (!(schema instanceof z.ZodLazy)) return schema;
	return { type: 'object', convertedFrom: schema.schema as unknown };
});
beforeEach(() => convert.mockClear());

const fields = { city: four.string() };
const jsonSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const schemaFrom = (schema: unknown) => functionsOf([{ name: 'a', schema }], convert)[0].parameters;

describe('The schema of the arguments of a tool', () => {
	it('is used as it is if it is a JSON Schema, without the SDK', () => {
		expect(schemaFrom({ $schema: 'draft', ...jsonSchema })).toEqual(jsonSchema);
		expect(convert).not.toHaveBeenCalled();
	});

	it.each([z.object({ city: z.string() }), { _def: { typeName: 'ZodObject' } }])(
		'is converted if it belongs to zod 3, whichever copy',
		(schema) => expect(schemaFrom(schema)).toEqual({ type: 'object', convertedFrom: schema }),
	);

	it('is converted by itself if it belongs to zod 4, with what JSON Schema cannot say left open', () => {
		expect(schemaFrom(four.object(fields))).toMatchObject(jsonSchema);
		const withDate = four.object({ ...fields, day: four.date() });
		expect(schemaFrom(withDate)).toMatchObject({ properties: { day: {} } });
		const withDefault = four.object({ ...fields, unit: four.string().default('C') });
		expect(schemaFrom(withDefault)).toMatchObject({ required: ['city'] });
		expect(convert).not.toHaveBeenCalled();
	});

	it.each([[undefined], [null], [{}], ['text']])('is empty if the SDK makes nothing of %j', (nothing) => {
		expect(schemaFrom(nothing)).toEqual({ type: 'object', properties: {} });
		expect(convert).toHaveBeenCalledTimes(1);
	});
});

it('Two tools that the model could not tell apart are refused by name', () => {
	const tool = (name: string) => ({ type: 'function', name, description: '', inputSchema: {} });
	const toolsOf = (...names: string[]) => requestTools(names.map(tool), 'chat', () => ({ type: 'object' }));
	expect(toolsOf('a', 'b')).toHaveLength(2);
	expect(() => toolsOf('_', 'b', '_')).toThrow('Tools contain two with the name "_"');
});
