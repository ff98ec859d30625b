import { z } from 'zod';
import { z as four } from 'zod/v4';
import { filesOf, sentFileOf, type SentFile } from '../../../nodes/shared/files/sentFiles';
import { type ChatFormat, requestIn, type RequestParts } from '../../../nodes/Chat/formats/chatFormat';
import type { Conversation, FilePart, Part, Turn } from '../../../nodes/Chat/formats/conversation';
import { sentIn } from './sentIn';
import { functionsOf } from '../../../nodes/Chat/formats/functions';
import { chatCompletions } from '../../../nodes/Chat/formats/chatCompletions/format';
import { generateContent } from '../../../nodes/Chat/formats/generateContent/format';
import { messages as messagesFormat } from '../../../nodes/Chat/formats/messages/format';
import { OptionValues } from '../../../nodes/shared/run/parameterReader';
import { requestTools } from '../../../nodes/Chat/model/adapter';
import { readFallbackModels } from '../../../nodes/Chat/fields';
import type { Call } from '../../../nodes/shared/run/call';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { FakeContext } from '../shared/fakeContext';

const text = (value: string) => ({ type: 'text', text: value });
const said = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ type: 'text', text }] });
const image = (sent: SentFile): FilePart => ({ type: 'file', kind: 'image', name: 'a.png', sent });
const address = image({ kind: 'address', url: 'https://example.com/a.png' });
const base64 = image({ kind: 'base64', mimeType: 'image/png', base64: 'QUJD' });

const conversation: Conversation = {
	system: 'Be short.',
	turns: [
		said('user', 'Hi'),
		said('assistant', 'Hello'),
		said('system', 'Now in French.'),
		{ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, address, base64] },
	],
};

const contentsOf = (input: Conversation) => sentIn(generateContent, input).contents;

it('The system text is at the beginning in the generate-content format', () => {
	expect(contentsOf(conversation)).toEqual([
		{ role: 'user', parts: [{ text: 'Be short.\n\nNow in French.' }, { text: 'Hi' }] },
		{ role: 'model', parts: [{ text: 'Hello' }] },
		{
			role: 'user',
			parts: [
				{ text: 'What is this?' },
				{ fileData: { fileUri: 'https://example.com/a.png' } },
				{ inlineData: { mimeType: 'image/png', data: 'QUJD' } },
			],
		},
	]);
	expect(contentsOf({ system: 'S', turns: [said('assistant', 'A')] })).toEqual([
		{ role: 'user', parts: [{ text: 'S' }] },
		{ role: 'model', parts: [{ text: 'A' }] },
	]);
});

it('The files that a tool returned are sent with its text, if it has one', () => {
	const result: Part = { type: 'toolResult', id: 'c1', name: 'look', text: 'the sky', files: [base64] };
	const sentOf = (format: ChatFormat, more: object = {}) =>
		sentIn(format, { turns: [{ role: 'user', parts: [{ ...result, ...more }] }] });
	expect(sentOf(chatCompletions).messages).toMatchObject([
		{ role: 'tool', content: 'the sky' },
		{ content: [text('Files that the tool look returned:'), { type: 'image_url' }] },
	]);
	const ofMessages = (content: object[]) => [{ content: [{ type: 'tool_result', content }] }];
	const { messages } = sentOf(messagesFormat);
	expect(messages).toMatchObject(ofMessages([text('the sky'), { type: 'image' }]));
	// Anthropic refuses empty texts.
	expect(sentOf(messagesFormat, { text: '' }).messages).toMatchObject(ofMessages([{ type: 'image' }]));
	const response = { result: 'the sky' };
	expect(sentOf(generateContent).contents).toMatchObject([
		{ parts: [{ functionResponse: { response } }, { inlineData: { data: 'QUJD' } }] },
	]);
});

it.each([
	['image/jpg', 'ffd8ffe000104a46494600', 'image/jpeg'],
	['image/png', 'ffd8ffe000104a46494600', 'image/jpeg'],
	['application/octet-stream', '89504e470d0a1a0a0000000d49484452', 'image/png'],
	['image/x-own', '00010203', 'image/x-own'],
])('A file has the type of its bytes, not %s', (declared, hex, mimeType) => {
	const uri = `data:${declared};base64,${Buffer.from(hex, 'hex').toString('base64')}`;
	expect(sentFileOf(uri, 'Image')).toMatchObject({ kind: 'base64', mimeType });
});

it.each([
	'https://a.example/1.png\nhttps://a.example/2.png',
	'https://a.example/1.png, https://a.example/2.png',
])('Two addresses in one text are refused before they are paid for: %j', (text) => {
	expect(sentFileOf(' https://a.example/1.png?x=a,b\n', 'Image')).toMatchObject({ kind: 'address' });
	expect(() => sentFileOf(text, 'Image')).toThrow('Image is neither a web address nor a data URI');
});

it('The failure of one of several files names its entry, counted from 1', async () => {
	const { execute } = new FakeContext();
	const entries = ['https://files.example/a', '', ''].map((url) => ({ source: 'url', url }));
	const messageOf = async (some: typeof entries) =>
		await filesOf(execute, 0, some, 'Files').catch(({ message }: Error) => message);
	expect(await messageOf(entries)).toBe('Files (entry 2) is empty');
	expect(await messageOf(entries.slice(2))).toBe('Files is empty');
});

it('The failure of a file that an item lacks names the files of this item', async () => {
	const file = { data: '', mimeType: 'text/plain' };
	const items = ['photo', 'scan'].map((field) => ({ json: {}, binary: { [field]: file } }));
	const { execute } = new FakeContext({ items });
	const wanted = [{ source: 'binary', binaryPropertyName: 'photo' }];
	await expect(filesOf(execute, 1, wanted, 'Files')).rejects.toMatchObject({
		description: 'Enter the name of a binary field of this item: "scan".',
	});
});

const mark = { cache_control: { type: 'ephemeral' } };
const cached = (promptCaching: string, more: Partial<RequestParts>, system = '') =>
	sentIn(messagesFormat, { system }, { options: new OptionValues({ promptCaching }), ...more });

describe('A request with cache marks', () => {
	it('has one at the end of the tools, of the system prompt, and of the last message', () => {
		const picture = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
		const tools = [{ name: 'a' }, { name: 'b' }];
		const extra = {
			system: [text('one'), text('two')],
			messages: [
				{ role: 'user', content: 'first' },
				{ role: 'user', content: [text('second'), picture] },
			],
		};
		expect(cached('5m', { tools, extra })).toEqual({
			tools: [{ name: 'a' }, { name: 'b', ...mark }],
			system: [text('one'), { ...text('two'), ...mark }],
			messages: [
				{ role: 'user', content: 'first' },
				{ role: 'user', content: [text('second'), { ...picture, ...mark }] },
			],
		});
	});

	it('says how long they are kept if that is not the usual time', () => {
		const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
		expect(cached('1h', {}, 'one').system).toEqual([{ ...text('one'), ...hour }]);
	});

	it.each([
		{ messages: [{ role: 'user', content: [{ ...text('one'), ...mark }, text('two')] }] },
		{ system: [{ ...text('one'), ...mark }], messages: [{ role: 'user', content: 'two' }] },
		{ tools: [{ name: 'a', ...mark }], messages: [] },
	])('stays as it is if it has marks of its own: %j', (extra) => {
		expect(cached('5m', { extra })).toEqual(extra);
	});
});

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

	it('is not to blame if this n8n is too old to convert it', () => {
		const tooOld = new GatewayFailure('settings', 'This n8n is too old', 'Update n8n.');
		convert.mockImplementationOnce(() => {
			throw tooOld;
		});
		expect(() => schemaFrom(z.object({}))).toThrow(tooOld);
	});
});

it('Two tools that the model could not tell apart are refused by name', () => {
	const tool = (name: string) => ({ type: 'function', name, description: '', inputSchema: {} });
	const toolsOf = (...names: string[]) =>
		requestTools(names.map(tool), chatCompletions.request, () => ({ type: 'object' }));
	expect(toolsOf('a', 'b')).toHaveLength(2);
	expect(() => toolsOf('_', 'b', '_')).toThrow('Tools contain two with the name "_"');
});

it.each([chatCompletions, messagesFormat, generateContent])(
	'Tools of Extra Body Fields are added to the connected ones: %#',
	(format) => {
		const [connected, further] = [{ name: 'clock' }, { name: 'search' }];
		const parts = { options: new OptionValues({}), generation: {}, extra: {}, streamed: false };
		const question = { ...parts, model: 'm', input: conversation, tools: [connected] };
		const { json } = requestIn(format, question, { tools: [further] });
		expect(json).toMatchObject({ tools: [connected, further] });
	},
);

// Other choices are in the engine's tests of sub-nodes.
it.each<[ChatFormat, string, unknown]>([
	[chatCompletions, 'any', 'required'],
	[chatCompletions, 'none', 'none'],
	[messagesFormat, 'none', { type: 'none' }],
])(
	'A call is demanded, or forbidden, in the words of the format: %p, %s',
	({ chatModel }, choice, expected) => {
		expect(chatModel!.toolChoice(choice, {})).toEqual({ tool_choice: expected });
	},
);

it('An empty cell is no fallback model', () => {
	const fallbackModels = { model: ['', 'm', null].map((model) => ({ model })) };
	const call = { options: new OptionValues({ fallbackModels }) } as Call;
	expect(readFallbackModels(call)).toEqual(['m']);
});

it('A call and its result have the same ID, in characters that the messages format takes', () => {
	const id = 'functions.x:0';
	const turns: Turn[] = [
		{ role: 'assistant', parts: [{ type: 'toolCall', id, name: 'x', arguments: {} }] },
		{ role: 'user', parts: [{ type: 'toolResult', id, name: 'x', text: 'y' }] },
	];
	expect(sentIn(messagesFormat, { turns }).messages).toMatchObject([
		{ content: [{ id: 'functions_x_0' }] },
		{ content: [{ tool_use_id: 'functions_x_0' }] },
	]);
});
