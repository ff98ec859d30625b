import { type ChatFormat, type RequestFormat, withFields } from '../chatFormat';
import { answer } from './answer';
import { stream } from './stream';
import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../../shared/failure/words';
import { isUnset, jsonValue, type OptionValues } from '../../../shared/run/parameterReader';
import { GENERATE } from '../../../shared/send/endpoints';
import { parseToSend } from '../../../shared/plain/json';
import { type Fields, asRecord, textOr, withoutFields } from '../../../shared/plain/values';
import {
	messagesOf,
	partsOfTurn,
	withoutSystemTurns,
	type Conversation,
	type FileKind,
	type FilePart,
	type Part,
	type Turn,
	fieldsOfCall,
	picked,
	type Thoughts,
} from '../conversation';
import { base64Of, fileKindOf, namedText, typeOfAddress } from '../fileParts';
import type { Tool } from '../functions';
import { generationFields } from '../generation';
import { ANNOTATIONS } from '../../json/keywords';
import { type SchemaForm, schemaIn } from '../schemaForm';

const SAFETY_SETTINGS: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'json',
	default: '[]',
	description: 'JSON array with category and threshold',
};

const TOOLS: INodeProperties = {
	displayName: 'Tools',
	name: 'tools',
	type: 'json',
	default: '[]',
	description: 'JSON array with functionDeclarations',
};

/** The requests (interface, 4.3), with tools as comparable services expect them. */
const request: RequestFormat = {
	// The interface does not show the streaming variant.
	target(model, streamed) {
		const otherPath = 'If your gateway does not stream in this format, turn off Stream in Options.';
		// Encoding throws for an incomplete surrogate pair.
		const path = `/v1beta/models/${encodeURIComponent(model.toWellFormed())}`;
		return streamed
			? {
					endpoint: { ...GENERATE, otherPath, model, path: `${path}:streamGenerateContent` },
					query: { alt: 'sse' },
				}
			: { endpoint: { ...GENERATE, model, path: `${path}:generateContent` } };
	},
	optionsFields: ['generationConfig', 'thinkingConfig'],
	tools: (tools) => (tools.length > 0 ? [{ functionDeclarations: tools.map(declarationOf) }] : []),
	ownFunctions: (options) => {
		const declared = readList(options, TOOLS).flatMap((tool) => asRecord(tool)?.functionDeclarations ?? []);
		return declared.map((declaration) => textOr(asRecord(declaration)?.name));
	},
	schemaFields: (schema, hasTools, { options }) => {
		// The format does not combine functions with a schema of the answer.
		const isAlone = !hasTools && readList(options, TOOLS).length === 0;
		const form = isAlone ? schemaIn(OPEN_API, schema) : undefined;
		return form && { generationConfig: { responseMimeType: 'application/json', responseSchema: form } };
	},
	body: ({ input, options, generation, tools, extra }) => {
		const generationConfig = generationFields(generation, 'generateContent');
		const safetySettings = readList(options, SAFETY_SETTINGS);
		const allTools = [...readList(options, TOOLS), ...tools];
		const body = {
			contents: messagesOf(input, contentsOf),
			...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
			...(safetySettings.length > 0 ? { safetySettings } : {}),
			...(allTools.length > 0 ? { tools: allTools } : {}),
		};
		return withFields(request, body, extra);
	},
};

/** The generate-content format (interface, 4.3). */
export const generateContent: ChatFormat = {
	operation: {
		value: 'generateContent',
		name: 'Message a Model (Generate Content Format)',
		action: 'Message a model (generate content format)',
		description: 'For safety settings and tools of models that offer them only in this format',
	},
	chatModel: undefined,
	input: {
		system: {
			description: 'Instructions for how the model should behave. They are placed before the first message.',
		},
		systemAlways: false,
		jsonDescription: 'The contents array as the gateway expects it. Each entry has parts.',
		content: '"parts": [{ "text": "Hello" }]',
		needs: { field: 'parts', isList: true },
		files: { audio: 'any', image: 'any', pdf: 'any', text: 'any', video: 'any' },
	},
	generation: { naming: 'generateContent', differences: {}, needsMaxTokens: false },
	options: [SAFETY_SETTINGS, TOOLS],
	request,
	answer,
	stream,
};

/** Writes the `contents` of the format (interface, 4.3), which has no field for a system text. */
function contentsOf(conversation: Conversation): object[] {
	const { system, turns } = withoutSystemTurns(conversation);
	const givenIds = idsOf(turns);
	const contents = turns.map((turn) => ({
		role: turn.role === 'user' ? 'user' : 'model',
		parts: partsOfTurn(turn, (part) => partOf(part, turn.thoughts, givenIds)),
	}));
	if (system === '') return contents;
	const [first, ...others] = contents;
	if (first?.role !== 'user') return [{ role: 'user', parts: [{ text: system }] }, ...contents];
	return [{ ...first, parts: [{ text: system }, ...first.parts] }, ...others];
}

/** Maps the IDs of calls in the conversation to the IDs that the model itself gave them. */
function idsOf(turns: Turn[]): Map<string, Fields> {
	const all = turns.flatMap(({ thoughts }) => thoughts?.parts ?? []);
	return new Map(
		all.map(({ callId = '', fields }) => [callId, picked(asRecord(fields.functionCall) ?? {}, ['id'])]),
	);
}

function partOf(part: Part, thoughts: Thoughts | undefined, givenIds: Map<string, Fields>): object[] {
	switch (part.type) {
		case 'text':
			return part.text === '' ? [] : [{ text: part.text }];
		case 'file':
			return [filePart(part)];
		case 'document':
			return [{ text: namedText(part) }];
		case 'toolCall': {
			const others = withoutFields(fieldsOfCall(thoughts, part.id), ['functionCall']);
			return [
				{ functionCall: { ...givenIds.get(part.id), name: part.name, args: part.arguments }, ...others },
			];
		}
		case 'toolResult':
			return [
				{ functionResponse: { ...givenIds.get(part.id), name: part.name, response: { result: part.text } } },
				...(part.files ?? []).map(filePart),
			];
	}
}

/** The usual media types of files at web addresses; that of an image is not sent. */
const TYPES: Record<Exclude<FileKind, 'image'>, string> = {
	audio: 'audio/mpeg',
	pdf: 'application/pdf',
	text: 'text/plain',
	video: 'video/mp4',
};

/** Writes a part of the generate-content format (interface, 4.3). */
function filePart({ kind, sent }: FilePart): object {
	if (sent.kind !== 'address') return { inlineData: { mimeType: sent.mimeType, data: base64Of(sent) } };
	if (kind === 'image') return { fileData: { fileUri: sent.url } };
	const mimeType = fileKindOf(sent) === kind ? typeOfAddress(sent.url) : TYPES[kind];
	return { fileData: { fileUri: sent.url, mimeType } };
}

function declarationOf({ name, description, parameters }: Tool): object {
	if (Object.keys(asRecord(parameters.properties) ?? {}).length === 0) return { name, description };
	const form = schemaIn(OPEN_API, parameters);
	return { name, description, ...(form ? { parameters: form } : { parametersJsonSchema: parameters }) };
}

/** Reads an entry of Options that is a list of objects; empty if it is not set. */
function readList(options: OptionValues, definition: INodeProperties): object[] {
	const value = options.value(definition);
	if (isUnset(value)) return [];
	const list = jsonValue(value, definition, '[{…}]', parseToSend);
	if (!Array.isArray(list) || !list.every((entry) => asRecord(entry))) {
		throw inputFailure(definition, 'is not a list of JSON objects', 'Enter an array of objects, e.g. [{…}].');
	}
	return list as object[];
}

const SCHEMA_TYPES: unknown[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The subset of OpenAPI that the format knows. */
const OPEN_API: SchemaForm = {
	keywords: new Set([
		...['type', 'enum', 'properties', 'items', 'anyOf', 'required', 'title', 'description', 'pattern'],
		...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'],
		...['minProperties', 'maxProperties'],
	]),
	leftOut: new Set([
		...ANNOTATIONS,
		...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
	]),
	complete({ type, ...schema }) {
		const { enum: values, properties } = schema;
		const types = type === undefined ? [] : [type].flat();
		const [known, ...more] = types.filter((one) => one !== 'null');
		const hasOneType = types.length === 0 || (SCHEMA_TYPES.includes(known) && more.length === 0);
		const areTexts = [values ?? []].flat().every((value) => typeof value === 'string');
		// The format cannot express an object with arbitrary properties.
		const isOpen = known === 'object' && Object.keys(properties ?? {}).length === 0;
		if (!hasOneType || !areTexts || isOpen) return undefined;
		const name = values === undefined ? textOr(known).toUpperCase() : 'STRING';
		return {
			...schema,
			...(name === '' ? {} : { type: name }),
			...(types.includes('null') ? { nullable: true } : {}),
		};
	},
};
