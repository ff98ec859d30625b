import { z } from 'zod';
import { findModel } from '../catalogue/findModel';
import type { Question, Tool, Turn } from '../chat/conversation';
import { invalidRequest } from '../http/errors';
import { openApiSchema } from './answerSchema';
import { base64Data } from './imageAddress';
import { signatureOf } from './thinking';

const schema = z.record(z.unknown());

/** Each part contains one of these fields. */
const part = z
	.object({
		text: z.string(),
		inlineData: z.object({ mimeType: z.string(), data: base64Data }),
		fileData: z.object({ mimeType: z.string().optional(), fileUri: z.string() }),
		functionCall: z.object({ name: z.string(), args: schema.optional(), id: z.string().optional() }),
		functionResponse: z.object({ name: z.string(), response: schema, id: z.string().optional() }),
		thoughtSignature: z.string(),
	})
	.partial()
	.strict()
	.refine((value) => Object.keys(value).length > 0, {
		message: 'it must hold something, for example "text"',
	});
type Part = z.output<typeof part>;

const parts = z.array(part).min(1, { message: 'at least one part is needed' });
const content = z.object({ role: z.enum(['user', 'model', 'function']).default('user'), parts }).strict();

const functionDeclaration = z
	.object({
		name: z.string(),
		description: z.string().default(''),
		parameters: openApiSchema.optional(),
		parametersJsonSchema: schema.optional(),
	})
	.passthrough();

const generationConfig = z
	.object({
		temperature: z.number(),
		maxOutputTokens: z.number().int(),
		topP: z.number().min(0).max(1),
		topK: z.number().min(0),
		candidateCount: z.literal(1, { message: 'only 1 is supported' }),
		stopSequences: z.array(z.string()),
		seed: z.number().int(),
		presencePenalty: z.number(),
		frequencyPenalty: z.number(),
		responseMimeType: z.enum(['text/plain', 'application/json']),
		responseSchema: openApiSchema,
		responseJsonSchema: schema,
		thinkingConfig: z
			.object({
				thinkingBudget: z.number().int(),
				thinkingLevel: z.string(),
				includeThoughts: z.boolean(),
			})
			.partial()
			.strict(),
	})
	.partial()
	.strict()
	.refine(
		({ responseMimeType, responseSchema, responseJsonSchema }) =>
			responseMimeType === 'application/json' || !(responseSchema ?? responseJsonSchema),
		{ message: 'a schema needs the responseMimeType application/json' },
	);

/** Body of `POST /v1beta/models/{model}:generateContent`: section 4.3, and the fields that its official client adds. */
export const generateContentRequest = z.object({
	contents: z.array(content).min(1, { message: 'at least one element is needed' }),
	generationConfig: generationConfig.default({}),
	safetySettings: z.array(z.record(z.unknown())).optional(),
	tools: z
		.array(z.object({ functionDeclarations: z.array(functionDeclaration).optional() }).passthrough())
		.default([]),
	toolConfig: z
		.object({
			functionCallingConfig: z
				.object({
					mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']).optional(),
					allowedFunctionNames: z.array(z.string()).optional(),
				})
				.optional(),
		})
		.optional(),
	systemInstruction: z.object({ role: z.string().optional(), parts }).strict().optional(),
});

/** A validated body of `POST /v1beta/models/{model}:generateContent`. */
export type GenerateContentRequest = z.output<typeof generateContentRequest>;

const textOf = (list: readonly Part[]) => list.flatMap(({ text }) => text ?? []).join('\n');

function turnsOf(contents: GenerateContentRequest['contents']): Turn[] {
	return contents.flatMap((entry): Turn[] => {
		const results = entry.parts.flatMap(({ functionResponse }): Turn[] =>
			functionResponse
				? [
						{
							role: 'tool',
							text: JSON.stringify(functionResponse.response),
							images: 0,
							toolName: functionResponse.name,
						},
					]
				: [],
		);
		const text = textOf(entry.parts);
		const types = entry.parts.flatMap(({ inlineData, fileData }) =>
			inlineData || fileData ? [inlineData?.mimeType ?? fileData?.mimeType ?? 'image/*'] : [],
		);
		const images = types.filter((type) => type.startsWith('image/')).length;
		const isEmpty = results.length > 0 && text === '' && types.length === 0;
		if (isEmpty) return results;
		const role = entry.role === 'model' ? 'assistant' : 'user';
		return [...results, { role, text, images, files: types.length - images }];
	});
}

function toolsOf({ tools }: GenerateContentRequest): Tool[] {
	return tools.flatMap(({ functionDeclarations = [] }) =>
		functionDeclarations.map(({ name, description, parameters, parametersJsonSchema }) => ({
			name,
			description,
			parameters: parametersJsonSchema ?? parameters ?? { type: 'OBJECT', properties: {} },
		})),
	);
}

function toolChoiceOf({ toolConfig }: GenerateContentRequest): Question['toolChoice'] {
	const config = toolConfig?.functionCallingConfig;
	if (config?.mode === 'NONE') return 'none';
	if (config?.mode !== 'ANY') return 'auto';
	const name = config.allowedFunctionNames?.[0];
	return name === undefined ? 'required' : { name };
}

function jsonOf({ generationConfig: config }: GenerateContentRequest): Question['json'] {
	if (config.responseMimeType !== 'application/json') return undefined;
	return config.responseJsonSchema ?? config.responseSchema ?? true;
}

function thinks({ generationConfig: { thinkingConfig = {} } }: GenerateContentRequest): boolean {
	const { thinkingBudget, thinkingLevel } = thinkingConfig;
	return thinkingBudget === undefined ? thinkingLevel !== undefined : thinkingBudget !== 0;
}

/**
 * Checks that, while the model thinks, the calls since the last user message begin with the signature that came with
 * them, as services of this format require.
 * @throws RequestFailure 400
 */
export function checkSignatures(request: GenerateContentRequest): void {
	if (!thinks(request)) return;
	const { contents } = request;
	const lastWords = contents.findLastIndex(({ role, parts: list }) => role === 'user' && textOf(list) !== '');
	contents.slice(lastWords + 1).forEach(({ role, parts: list }) => {
		const call = list.find(({ functionCall }) => functionCall);
		if (role !== 'model' || !call) return;
		const { name } = call.functionCall!;
		if (call.thoughtSignature === signatureOf(name)) return;
		throw invalidRequest(`Function call is missing a thought_signature in functionCall parts (${name}).`);
	});
}

/**
 * Converts a generate-content request.
 * @param model the model id from the path
 * @throws RequestFailure 400 for an unknown model
 */
export function generateContentQuestion(model: string, request: GenerateContentRequest): Question {
	return {
		model: findModel(model, 'chat'),
		system: textOf(request.systemInstruction?.parts ?? []),
		turns: turnsOf(request.contents),
		maxTokens: request.generationConfig.maxOutputTokens,
		stop: request.generationConfig.stopSequences ?? [],
		json: jsonOf(request),
		tools: toolsOf(request),
		toolChoice: toolChoiceOf(request),
		thinks: thinks(request),
	};
}
