import { type Dialect, variant } from './dialect';
import { isObject, type JsonObject, objectsIn } from './json';
import { EMBEDDINGS, MODELS, RERANK, VOICES } from './routes';

type Variable = Readonly<Record<string, RegExp | null>>;

/** Returns a function that defines dialects of one answer. They change how the list under `from` is returned. */
const shapes =
	(domain: string, routes: readonly string[], from: string) =>
	(
		name: string,
		says: string,
		source: string,
		change: (entries: JsonObject[], whole: JsonObject) => unknown,
		variable: Variable = {},
	) =>
		variant({
			name: `${domain}-${name}`,
			description: `${domain[0].toUpperCase()}${domain.slice(1)} as ${says}`,
			source,
			routes,
			meaning: { kind: 'same', variable },
			json: (value) => (isObject(value) ? change(objectsIn(value[from]), value) : value),
		});

const models = shapes('models', MODELS, 'data');
const voices = shapes('voices', VOICES, 'voice_characters');
const rerank = shapes('rerank', RERANK, 'results');
const embeddings = shapes('embeddings', EMBEDDINGS, 'data');

const USAGE = {
	model: null,
	embeddingInputTokens: null,
	embeddingTotalTokens: null,
	embeddingTextsInRequest: null,
};
const vectorsOf = (entries: JsonObject[]) => entries.map(({ embedding }) => embedding);

/** Renames the score of each result. */
const scored = (results: JsonObject[], name: string) =>
	results.map(({ relevance_score: score, ...others }) => ({ ...others, [name]: score }));

/** Shapes of lists: models, voices, rankings, and vectors. */
export const listShapes: readonly Dialect[] = [
	models('under-models', '`{models: […]}`', 'Gemini and Ollama: list of models', (data) => ({
		models: data,
	})),
	models('bare', 'a bare list', 'Together AI: list of models', (data) => data),
	voices('under-voices', '`{voices: […]}`', 'ElevenLabs: list of voices', (list) => ({ voices: list }), {
		total: null,
	}),
	rerank('under-data', '`{data: […]}`', 'Voyage AI: rerank', (results) => ({ data: results })),
	rerank('bare', 'a bare list with `score`', 'Text Embeddings Inference: rerank', (results) =>
		scored(results, 'score'),
	),
	rerank('under-output', '`{output: {results: […]}}`', 'DashScope: text rerank', (results) => ({
		output: { results },
	})),
	rerank('camel-case', '`{relevanceScore}`', 'Amazon Bedrock: rerank', (results) => ({
		results: scored(results, 'relevanceScore'),
	})),
	rerank('documents-text', '`{document: text}`', 'Voyage AI: return_documents', (results) => ({
		results: results.map((one) => ({ ...one, document: 'A passage' })),
	})),
	embeddings(
		'under-embeddings',
		'`{embeddings: [[…]]}`',
		'Cohere and Ollama: embed',
		(data) => ({ embeddings: vectorsOf(data) }),
		USAGE,
	),
	embeddings('bare', 'a bare list of vectors', 'Text Embeddings Inference: embed', vectorsOf, USAGE),
	embeddings('reversed', 'entries in another order', 'OpenAI: entries have an index', (data, whole) => ({
		...whole,
		data: [...data].reverse(),
	})),
];
