import { z } from 'zod';
import { z as four } from 'zod/v4';
import { argumentSchema } from '../../../nodes/Chat/formats/argumentSchema';

/** What n8n's SDK does: it converts what belongs to its own copy of zod, and returns everything else unchanged. */
const convert = jest.fn((schema: unknown) => {
	if (!(schema instanceof z.ZodLazy)) return schema;
	return { convertedFrom: schema.schema as unknown };
});
beforeEach(() => convert.mockClear());

const fields = { city: four.string() };
const jsonSchema = {
	type: 'object',
	properties: { city: { type: 'string' } },
	required: ['city'],
};

describe('The schema of the arguments of a tool', () => {
	it('is used as it is if it is a JSON Schema, without the SDK', () => {
		expect(argumentSchema(jsonSchema, convert)).toBe(jsonSchema);
		expect(convert).not.toHaveBeenCalled();
	});

	it('is converted if it belongs to zod 3, whichever copy', () => {
		const own = z.object({ city: z.string() });
		expect(argumentSchema(own, convert)).toEqual({ convertedFrom: own });
		const foreign = { _def: { typeName: 'ZodObject' } };
		expect(argumentSchema(foreign, convert)).toEqual({ convertedFrom: foreign });
	});

	it('is converted by itself if it belongs to zod 4, with what JSON Schema cannot say left open', () => {
		expect(argumentSchema(four.object(fields), convert)).toMatchObject(jsonSchema);
		const withDate = four.object({ ...fields, day: four.date() });
		expect(argumentSchema(withDate, convert)).toMatchObject({ properties: { day: {} } });
		const withDefault = four.object({ ...fields, unit: four.string().default('C') });
		expect(argumentSchema(withDefault, convert)).toMatchObject({ required: ['city'] });
		expect(convert).not.toHaveBeenCalled();
	});

	it.each([[undefined], [null], [{}], ['text']])('is what the SDK makes of %j', (nothing) => {
		expect(argumentSchema(nothing, convert)).toEqual(nothing);
		expect(convert).toHaveBeenCalledTimes(1);
	});
});
