import { readErrorBody, shortMessage } from '../shared/failure/errorBody';
import type { FailureFacts } from '../shared/failure/evidence';
import { answerFailure } from '../shared/failure/words';
import { withGatewayWords } from '../shared/failure/statusWords';
import { fileOfText } from '../shared/plain/fileText';
import { underUsualName } from '../shared/answer/optionalFields';
import { asRecord, type Fields, textOr } from '../shared/plain/values';

/** A response with images (interface, 2.6). */
export interface ImageAnswer {
	images: ImageObject[];
	/** Everything but the images, as the gateway sent it; entries without an image are in it. */
	others: Record<string, unknown>;
	/** Places of entries without an image. */
	leftOut: string[];
}

/** One image of a response: its address, its content, or both. */
export interface ImageObject {
	url?: string;
	/** Base64 or a data URI. */
	inline?: string;
	/** Key of a file that was stored while the response arrived. */
	key?: string;
	/** All other fields of the image, as the gateway sent them. */
	facts: Record<string, unknown>;
	/** The whole entry, as the gateway sent it. */
	sent: unknown;
}

const MAX_IMAGES = 1000;

/** The names of lists of images: documented, and of SiliconFlow, Replicate, MiniMax, Vertex AI, and Stability AI. */
const LISTS = ['data', 'images', 'output', 'image_urls', 'image_base64', 'predictions', 'artifacts'];
/** The names of a single image: Replicate's, and that of Stability AI and fal. */
const SINGLES = ['output', 'image'];
/** Objects around a single image: that of Cloudflare Workers AI, and the documented name without its list. */
const AROUND_SINGLES = ['result', 'data'];
const ADDRESSES = ['url', 'image_url'];
const ADDRESS = /^https?:\S+$/i;
/** The names of Base64: the documented one, two of Stability AI, and that of Vertex AI. */
const CONTENTS = ['b64_json', 'base64', 'image', 'bytesBase64Encoded'];

/** The lists of chat answers: Gemini's, with `inlineData`, and OpenRouter's, with `message.images`. */
const CHATS = ['candidates', 'choices'];

/** Reads images, also in the shapes of other public APIs. @param stored the keys of stored files that are images */
export function readImages(
	body: unknown,
	isKey: (text: string) => boolean,
	stored: string[] = [],
): ImageAnswer {
	const read = (entry: unknown) => imageIn(entry, isKey);
	const fields = asRecord(body) ?? {};
	const found = underUsualName(body, LISTS);
	const list = found ? found.value : singleImage(fields, read);
	const isChat = list.length === 0 && CHATS.some((name) => Array.isArray(fields[name]));
	if (isChat && stored.length > 0) {
		return { ...readImages(stored, isKey), others: withoutKeys(fields, isKey) };
	}
	if (list.length === 0) {
		throw answerFailure('it contains no image, for example in the field "data"', wordsOf(fields));
	}
	if (list.length > MAX_IMAGES) throw answerFailure(`it contains more than ${MAX_IMAGES} images`);
	const all = list.map(read);
	const images = all.filter(isImage);
	if (images.length === 0) {
		throw answerFailure('it contains neither the address nor the content of an image', wordsOf(all[0].facts));
	}
	const unread = list.filter((_, index) => !isImage(all[index]));
	const leftOut = all.flatMap((image, index) =>
		isImage(image) ? [] : withGatewayWords(`${found?.name}.${index}`, wordsOf(image.facts)),
	);
	const others = found ? found.restWith(unread) : besides(fields, list[0]);
	return { images, others: withoutKeys(others, isKey), leftOut };
}

/** Returns the words of a response without an image: those of an error, or a reason such as Gemini's (gemimg#5). */
function wordsOf(fields: Fields): FailureFacts {
	const { gatewayMessage } = readErrorBody(fields);
	const first = asRecord([fields.candidates].flat()[0]);
	const ofGemini = [asRecord(fields.promptFeedback)?.blockReason, first?.finishReason, first?.finishMessage];
	const reasons = [...ofGemini.map((reason) => textOr(reason)), ...reasonsIn(fields)];
	const bad = reasons.filter((reason) => !/^(STOP|SUCCESS)?$/i.test(reason));
	return { gatewayMessage: gatewayMessage ?? (shortMessage(bad.join(': ')) || undefined) };
}

/** The reasons why an image ended: of StepFun, Stability AI (also in NVIDIA NIM), and Stability AI in Amazon Bedrock. */
function reasonsIn({ finish_reason: one, finishReason: other, finish_reasons: all }: Fields): string[] {
	return [one, other, all].flat().map((reason) => textOr(reason));
}

/**
 * Returns a warning about an image that a filter has blurred, or made black: of StepFun and Stability AI, fal, and
 * DeepInfra; undefined for others.
 */
export function filterWarning({ images, others }: ImageAnswer, index: number): string | undefined {
	const reasons = [images[index].facts, others].flatMap(reasonsIn);
	const flags = [others.has_nsfw_concepts, others.nsfw_content_detected];
	const isFlagged = flags.some((flag) => [flag].flat()[index] === true);
	if (!isFlagged && !reasons.some((reason) => FILTERED.test(reason))) return undefined;
	return 'A safety filter has flagged the image, so it may be blurred or black';
}

/** Matches the reason for an image that a filter has changed or withheld. */
export const FILTERED = /^(content_filtered\b|filter reason:)/i;

/** Returns the fields without the keys of stored files. */
function withoutKeys(fields: Fields, isKey: (text: string) => boolean): Fields {
	const json = JSON.stringify(fields, (_name, value: unknown) => (isKey(textOr(value)) ? undefined : value));
	return JSON.parse(json) as Fields;
}

/** Tells whether a response lists an image with its content. Then it is a result, whatever else the response says. */
export function listsImageFile(body: unknown, isKey: (text: string) => boolean): boolean {
	const list = underUsualName(body, LISTS)?.value ?? [];
	const images = list.map((entry) => imageIn(entry, isKey));
	return images.some(({ key, inline = '' }) => key !== undefined || fileOfText(inline) !== undefined);
}

/** Returns the fields besides a single image. There are none if the image consists of all fields. */
function besides(fields: Record<string, unknown>, image: unknown): Record<string, unknown> {
	if (image === fields) return {};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== image));
}

function isImage({ url, inline, key }: ImageObject): boolean {
	return (url ?? inline ?? key) !== undefined;
}

function singleImage(fields: Record<string, unknown>, read: (entry: unknown) => ImageObject): unknown[] {
	const inner = AROUND_SINGLES.map(
		(name) => asRecord(fields[name]) ?? ADDRESS.exec(textOr(fields[name]))?.[0],
	);
	const image = [fields, ...SINGLES.map((name) => fields[name]), ...inner].find((one) => isImage(read(one)));
	return image === undefined ? [] : [image];
}

function imageIn(entry: unknown, isKey: (text: string) => boolean): ImageObject {
	const fields = typeof entry === 'string' ? { [nameFor(entry)]: entry } : (asRecord(entry) ?? {});
	const usual = [...ADDRESSES, ...CONTENTS];
	const all = [...usual, ...Object.keys(fields)];
	const textOf = (kind: TextKind, names: string[]) => {
		const found = names.find((name) => textKindOf(name, fields[name], isKey) === kind);
		return found === undefined ? undefined : textIn(fields[found]);
	};
	const url = textOf('url', all);
	const inline = textOf('inline', all);
	// Next to an address, a file under an unusual name is something else, such as a signature of thoughts.
	const key = textOf('key', url === undefined ? all : usual);
	const facts = Object.entries(fields).filter(
		([name, value]) => value !== '' && [undefined, 'url'].includes(textKindOf(name, value, isKey)),
	);
	return { url, inline, key, facts: Object.fromEntries(facts), sent: entry };
}

/** The kind of text in a field: the address of an image, its content, or the key of a stored file. */
type TextKind = 'url' | 'inline' | 'key';

function textKindOf(name: string, value: unknown, isKey: (text: string) => boolean): TextKind | undefined {
	const text = textIn(value);
	if (isKey(text)) return 'key';
	const isContent = CONTENTS.includes(name);
	if (text === '' || (!isContent && !ADDRESSES.includes(name))) return undefined;
	// The field `image` of fal and of Alibaba's models is an address.
	if (ADDRESS.test(text)) return 'url';
	return isContent || fileOfText(text) ? 'inline' : 'url';
}

/** The text of a field, which may be in an object. */
function textIn(value: unknown): string {
	return textOr(asRecord(value)?.url ?? value);
}

/** Names the field that a text without an object stands for. */
function nameFor(text: string): string {
	return /^(https?|data):/i.test(text) ? 'url' : 'b64_json';
}
