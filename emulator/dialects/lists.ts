import { type Dialect, type Meaning, variant } from './dialect';
import { isObject, type JsonObject, objectsIn } from './json';
import { EMBEDDINGS, MODELS, RERANK, VOICES } from './routes';

type Loose = Readonly<Record<string, RegExp | null>>;

/** Shapes of one answer: how the list that is found under `from` is passed on. */
const shapes =
	(domain: string, routes: readonly string[], from: string) =>
	(
		name: string,
		says: string,
		change: (entries: JsonObject[], whole: JsonObject) => unknown,
		loose: Loose = {},
	) =>
		variant({
			name: `${domain}-${name}`,
			description: `${domain[0].toUpperCase()}${domain.slice(1)} as ${says}`,
			routes,
			meaning: { kind: 'same', loose },
			json: (value) => (isObject(value) ? change(objectsIn(value[from]), value) : value),
		});

const models = shapes('models', MODELS, 'data');
const voiceShapes = shapes('voices', VOICES, 'voice_characters');
const voices: typeof voiceShapes = (...of) => voiceShapes(of[0], of[1], of[2], { total: null });
const rerank = shapes('rerank', RERANK, 'results');
const embeddings = shapes('embeddings', EMBEDDINGS, 'data');

const USAGE = {
	model: null,
	embeddingInputTokens: null,
	embeddingTotalTokens: null,
	embeddingTextsInRequest: null,
};
const vectorsOf = (entries: JsonObject[]) => entries.map(({ embedding }) => embedding);

/** A score under another name. */
const scored = (name: string) => (entries: JsonObject[]) => ({
	results: entries.map(({ relevance_score: score, ...others }) => ({ ...others, [name]: score })),
});

/** Models and voices as other gateways list them. */
export const listShapes: readonly Dialect[] = [
	models('under-models', '`{models: […]}`', (data) => ({ models: data })),
	models('bare', 'a bare list', (data) => data),
	models('of-texts', '`{data: [text]}`', (data) => ({ data: data.map(({ id }) => id) }), {
		created: null,
		ownedBy: null,
	}),
	models('bare-texts', 'a bare list of texts', (data) => data.map(({ id }) => id), {
		created: null,
		ownedBy: null,
	}),
	voices('under-voices', '`{voices: […]}`', (list) => ({ voices: list })),
	voices('under-data', '`{data: […]}`', (list) => ({ data: list })),
	voices('bare', 'a bare list', (list) => list),
];

/** Rankings as other gateways return them. */
export const rerankShapes: readonly Dialect[] = [
	rerank('under-data', '`{data: […]}`', (results) => ({ data: results })),
	rerank('bare', 'a bare list', (results) => results),
	rerank('under-output', '`{output: {results: […]}}`', (results) => ({ output: { results } })),
	rerank('score', '`{score}`', scored('score')),
	rerank('relevance-score-camel', '`{relevanceScore}`', scored('relevanceScore')),
	rerank('score-text', '`{relevance_score: text}`', (results) => ({
		results: results.map((one) => ({ ...one, relevance_score: String(one.relevance_score) })),
	})),
	rerank('index-text', '`{index: text}`', (results) => ({
		results: results.map((one) => ({ ...one, index: String(one.index) })),
	})),
	rerank('documents-text', '`{document: text}`', (results) => ({
		results: results.map((one) => ({ ...one, document: 'A passage' })),
	})),
];

/** Vectors as other gateways return them. */
export const embeddingShapes: readonly Dialect[] = [
	embeddings('under-embeddings', '`{embeddings: [[…]]}`', (data) => ({ embeddings: vectorsOf(data) }), USAGE),
	embeddings('bare', 'a bare list of vectors', vectorsOf, USAGE),
	embeddings('vectors-in-data', '`{data: [[…]]}`', (data) => ({ data: vectorsOf(data) }), USAGE),
	embeddings('objects-bare', 'a bare list of objects', (data) => data, USAGE),
	embeddings('index-text', '`{index: text}`', (data, whole) => ({
		...whole,
		data: data.map((one) => ({ ...one, index: String(one.index) })),
	})),
	embeddings('reversed', 'entries in another order', (data, whole) => ({
		...whole,
		data: [...data].reverse(),
	})),
];

const refused = (words: string[]): Meaning => ({ kind: 'failure', words });
const ofRanking = (
	name: string,
	description: string,
	words: string[],
	change: (results: JsonObject[]) => unknown,
) =>
	variant({
		name: `ambiguous-rerank-${name}`,
		description,
		routes: RERANK,
		meaning: refused(words),
		json: (value) => ({ results: change(objectsIn((value as JsonObject).results)) }),
	});
const ofVectors = (name: string, description: string, change: (data: JsonObject[]) => unknown) =>
	variant({
		name: `ambiguous-embeddings-${name}`,
		description,
		routes: EMBEDDINGS,
		meaning: refused(['data', 'embedding', 'vector']),
		json: (value) => ({ ...(value as JsonObject), data: change(objectsIn((value as JsonObject).data)) }),
	});

const withoutIndex = (data: JsonObject[]) => data.map((one) => ({ ...one, index: undefined }));

/** Answers that can be read in several ways, so that a client must not guess. */
export const ambiguous: readonly Dialect[] = [
	ofRanking('from-1', 'Rerank indexes that start at 1', ['index'], (results) =>
		results.map((one) => ({ ...one, index: Number(one.index) + 1 })),
	),
	ofRanking('same-index', 'Two results with the same index and different scores', ['index'], (results) =>
		results.length < 2
			? results
			: results.map((_one, position) => ({ index: 0, relevance_score: 0.9 - position / 10 })),
	),
	ofRanking('no-index', 'Results without an index', ['index'], (results) =>
		results.map(({ relevance_score }) => ({ relevance_score })),
	),
	ofRanking('score-word', 'Scores that are words', ['score'], (results) =>
		results.map((one) => ({ ...one, relevance_score: 'high' })),
	),
	ofVectors('more', 'More vectors than texts, without an index', (data) =>
		withoutIndex([...data, ...data.slice(0, 1)]),
	),
	ofVectors('fewer', 'Fewer vectors than texts, without an index', (data) => withoutIndex(data.slice(1))),
	ofVectors('text-in-vector', 'Vectors with text in them', (data) =>
		data.map((one) => ({ ...one, embedding: [...(one.embedding as number[]).slice(0, -1), 'n/a'] })),
	),
	ofVectors('null-in-vector', 'Vectors with `null` in them', (data) =>
		data.map((one) => ({ ...one, embedding: [...(one.embedding as number[]).slice(0, -1), null] })),
	),
	ofVectors('other-length', 'Vectors of different lengths', (data) =>
		data.map((one, index) =>
			index === 0 ? one : { ...one, embedding: (one.embedding as number[]).slice(0, -1) },
		),
	),
	ofVectors('empty', 'Empty vectors', (data) => data.map((one) => ({ ...one, embedding: [] }))),
];
