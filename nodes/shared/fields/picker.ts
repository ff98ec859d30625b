import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodeListSearchItems,
} from 'n8n-workflow';
import { GatewayClient, logFault } from '../send/client';
import { fetchModels, type Model } from '../send/lists';
import { ONE_RETRY } from '../send/retry';
import { Redactor } from '../answer/redactor';
import type { FailureKind } from '../failure/kinds';
import { entryOf } from '../plain/values';

interface PickerSettings {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
	placeholder: string;
	/** Tells n8n's AI builder where to find a value. */
	hint?: string;
}

/** Creates a parameter to choose from a list of the gateway, or to enter an ID when the list is not available. */
export function pickerField(settings: PickerSettings): INodeProperties {
	const { displayName, name, description, searchListMethod, placeholder, hint } = settings;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		// From the list mode, the user can switch to the other with one click, even before the list is loaded.
		default: { mode: 'list', value: '' },
		description,
		...(hint ? { builderHint: { propertyHint: hint } } : {}),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'ID', name: 'id', type: 'string', placeholder },
		],
	};
}

/** Creates the model picker of a node. */
export function modelField(placeholder: string): INodeProperties {
	return pickerField({
		displayName: 'Model',
		name: 'model',
		description:
			'The model to use. The list has those that fit; search it for all others. IDs are case-sensitive.',
		hint: 'Do not guess: take an ID from Account → Get Many Models',
		searchListMethod: 'searchModels',
		placeholder,
	});
}

/** Creates a `methods.listSearch`: it lists the models whose ID contains the filter; without one, those that fit. */
export function modelSearch(kind: ModelKind) {
	return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		const { entries: models } = await listed(this, async (client) => await fetchModels(client, ONE_RETRY));
		return { results: containing(filter, modelEntries(models, kind, !filter?.trim())) };
	};
}

/** Marks the only entry of a complete list as the only one. */
export function withOnlyOne(entries: INodeListSearchItems[]): INodeListSearchItems[] {
	if (entries.length !== 1) return entries;
	return entries.map((entry) => ({ ...entry, name: `${entry.name} (the only one)` }));
}

/** Loads the list of a picker, without the key. @throws GatewayFailure that says why it failed, and what to do */
export async function listed<T>(
	context: ILoadOptionsFunctions,
	load: (client: GatewayClient) => Promise<T>,
): Promise<T> {
	let redactor = new Redactor([]);
	try {
		const client = await GatewayClient.of(context);
		redactor = client.redactor;
		return await redactor.value(await load(client));
	} catch (error) {
		const failure = await redactor.failure(error);
		logFault(context, redactor, failure);
		const { kind, message } = failure;
		const advice = NEEDED_BY_ALL.includes(kind) ? '' : ' You can also select "ID" and enter the ID.';
		// A list in the editor shows only the message.
		throw failure.saying({ message: `${message.replace(/[.。]$/, '')}. ${failure.advice}${advice}` });
	}
}

/** The failures that every request would have, so that it does not help to enter an ID. */
const NEEDED_BY_ALL: FailureKind[] = ['settings', 'authentication', 'address', 'unreachable'];

/** Returns the entries whose name contains the filter, in any case, sorted by name. */
export function matching<Entry extends INodeListSearchItems>(
	filter: string | undefined,
	entries: Entry[],
): Entry[] {
	return containing(filter, entries).sort((one, other) => one.name.localeCompare(other.name));
}

/** Filters entries by name, and leaves out those that n8n would run as an expression once they are selected. */
function containing<Entry extends INodeListSearchItems>(
	filter: string | undefined,
	entries: Entry[],
): Entry[] {
	const wanted = filter?.trim().toLowerCase() ?? '';
	const harmless = entries.filter(
		({ name, value }) => ![name, String(value)].some((text) => text.startsWith('=')),
	);
	return harmless.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/**
 * Words in the ID of a model, and names of families, that tell its kind; the first row that matches decides. A model
 * whose ID tells nothing is a chat model, as most are, or anything else.
 */
const WORDS = [
	['reranking', /rerank/],
	['embedding', /embed|\b(bge|gte|e5|m3e)\b/],
	['moderation', /moderation|\bguard\b/],
	['transcription', /whisper|transcri|speech to text|\b(asr|stt)\b/],
	['chat', /\b(chat|llm|vision|vl|instruct)\b/],
	['music', /music|\b(suno|chirp|udio|lyria|song)\b/],
	['video', /video|\b(sora|veo\d*|kling|runway|hailuo|seedance|t2v|i2v)\b/],
	['speech', /speech|\b(tts|voice|voices)\b/],
	[
		'image',
		/image|imagine|\b(dalle?|flux|sd|sdxl|sd3|stable diffusion|midjourney|mj|seedream|kolors|ideogram|recraft|cogview|hidream|t2i)\b/,
	],
] as const;

type ModelKind = (typeof WORDS)[number][0];

/** The endpoints of models that are made for nothing else (QuantumNous/new-api, `constant/endpoint_type.go`). */
const ENDPOINT_TYPES: Record<string, ModelKind> = {
	'image-generation': 'image',
	embeddings: 'embedding',
	'jina-rerank': 'reranking',
	'openai-video': 'video',
};

function kindOfModel({ id, supported_endpoint_types: types }: Model): ModelKind | undefined {
	const told = Array.isArray(types) ? types.map((type) => entryOf(ENDPOINT_TYPES, String(type))) : [];
	return told.find((kind) => kind !== undefined) ?? kindOfId(id);
}

function kindOfId(id: string): ModelKind | undefined {
	const words = id
		.toLowerCase()
		.replace(/dall[-_ ]e/, 'dalle')
		.replace(/[^a-z\d]+/g, ' ');
	return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/**
 * Lists the models of a kind first, then those of which nothing tells it, and the others last, because an ID may mislead.
 * @param fitting true for only the first of these groups that has models
 */
export function modelEntries(list: Model[], kind: ModelKind, fitting = false): INodeListSearchItems[] {
	const unique = new Map(list.map((model) => [model.id, model]));
	const models = [...unique.values()].map((model) => {
		const { id } = model;
		const known = kindOfModel(model) ?? (kind === 'chat' ? 'chat' : undefined);
		if (known === kind) return { place: '0', entry: { name: id, value: id } };
		const place = known === undefined ? '1' : `2${known}`;
		return { place, entry: { name: `${id} (${known ?? 'other'} model)`, value: id } };
	});
	models.sort(
		(one, other) => one.place.localeCompare(other.place) || one.entry.name.localeCompare(other.entry.name),
	);
	const shown = fitting ? models.filter(({ place }) => place[0] === models[0].place[0]) : models;
	const entries = shown.map(({ entry }) => entry);
	return fitting && shown[0]?.place === '0' ? withOnlyOne(entries) : entries;
}
