import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodeListSearchItems,
} from 'n8n-workflow';
import { GatewayClient, logFault } from '../send/client';
import { fetchModels } from '../send/lists';
import { ONE_RETRY } from '../send/retry';
import { Redactor } from '../answer/redactor';
import type { FailureKind } from '../failure/kinds';

interface PickerSettings {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
	placeholder: string;
	/** Where n8n's AI builder finds a value. */
	hint?: string;
}

/** A parameter to choose from a list that the gateway provides, or to enter an ID when the list is not available. */
export function pickerField(settings: PickerSettings): INodeProperties {
	const { displayName, name, description, searchListMethod, placeholder, hint } = settings;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		// In the mode of the list, the others are one click away, before the list was ever loaded.
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

/** The model picker of a node. */
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

/** `methods.listSearch`: the models that the key may use whose ID contains the filter; without one, those that fit. */
export function modelSearch(kind: ModelKind) {
	return async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		const { entries: models } = await listed(this, async (client) => await fetchModels(client, ONE_RETRY));
		const ids = models.map(({ id }) => id);
		return { results: containing(filter, modelEntries(ids, kind, !filter?.trim())) };
	};
}

/** The entries of a whole list. If it has only one, this says so. */
export function withOnlyOne(entries: INodeListSearchItems[]): INodeListSearchItems[] {
	if (entries.length !== 1) return entries;
	return entries.map((entry) => ({ ...entry, name: `${entry.name} (the only one)` }));
}

/** Loads the list of a picker, without the key. @throws GatewayFailure that says why not, and what to do instead */
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

/** Failures that every request would have, so that it does not help to do without the list. */
const NEEDED_BY_ALL: FailureKind[] = ['settings', 'authentication', 'address', 'unreachable'];

/** The entries whose name contains the filter, in any case, sorted by name. */
export function matching<Entry extends INodeListSearchItems>(
	filter: string | undefined,
	entries: Entry[],
): Entry[] {
	return containing(filter, entries).sort((one, other) => one.name.localeCompare(other.name));
}

/** Leaves out what n8n would run as an expression, once it is selected. */
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
 * Words in the ID of a model that tell its kind, also names of families; the first one that occurs counts. A model
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

function kindOfModel(id: string): ModelKind | undefined {
	const words = id
		.toLowerCase()
		.replace(/dall[-_ ]e/g, 'dalle')
		.replace(/[^a-z\d]+/g, ' ');
	return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/**
 * First the models of a kind, then those whose ID tells nothing, and last the others: an ID may mislead. @param fitting
 * for only the first of these that there are
 */
export function modelEntries(ids: string[], kind: ModelKind, fitting = false): INodeListSearchItems[] {
	const models = [...new Set(ids)].map((id) => {
		const known = kindOfModel(id) ?? (kind === 'chat' ? 'chat' : undefined);
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
