import { fileOfText, isDataUri } from '../../shared/plain/fileText';
import { type Fields, asRecord, textOr } from '../../shared/plain/values';

/** A file that an answer contains as text. */
interface AnswerFile {
	/** The text that replaces the file in the answer. */
	name: string;
	/** The media type that the answer declares, with its parameters; empty if it declares none. */
	mimeType: string;
	bytes: Buffer;
}

/**
 * Replaces each file in an answer of any format with a text of `nameOf`: `message.audio` of OpenAI, `message.images`
 * of OpenRouter, `inlineData` of Gemini, the parts of a content with a data URI or a `source`, images of the Responses
 * API, and images in Markdown, into which gateways turn those of Gemini. Signatures and encrypted thoughts stay.
 */
export function withoutFiles(
	body: Fields,
	nameOf: (index: number, mimeType: string) => string,
): { body: Fields; files: AnswerFile[] } {
	const files: AnswerFile[] = [];
	const take: Take = ({ mimeType, bytes }) => {
		if (files.length >= MAX_FILES) return undefined;
		const name = nameOf(files.length, mimeType);
		files.push({ name, mimeType, bytes });
		return name;
	};
	return { body: replaced(body, '', take) as Fields, files };
}

/** The most files to take out of an answer, because n8n stores each one. Further files stay in the answer. */
const MAX_FILES = 1000;

/** Takes a file out of the answer. @returns the text in its place; undefined for a file that stays */
type Take = (file: Pick<AnswerFile, 'mimeType' | 'bytes'>) => string | undefined;

/**
 * The fields that stay as they are: the arguments that a model gives to a tool, and annotations, in which OpenRouter
 * repeats the pages and images of a PDF file of the user.
 */
const GIVEN = ['args', 'arguments', 'input', 'annotations'];

/** Replaces the files in a value, of which only parts with files are copied. @param place the field of the value */
function replaced(value: unknown, place: string, take: Take): unknown {
	if (GIVEN.includes(place)) return value;
	if (Array.isArray(value)) {
		const list = value.map((entry) => replaced(entry, place, take));
		return list.some((entry, index) => entry !== value[index]) ? list : value;
	}
	const fields = asRecord(value);
	if (!fields) return typeof value === 'string' ? textWithoutFile(value, place, {}, place, take) : value;
	const entries = Object.entries(fields).map(([name, inner]): [string, unknown] => [
		name,
		typeof inner === 'string'
			? textWithoutFile(inner, name, fields, place, take)
			: replaced(inner, name, take),
	]);
	return entries.some(([name, inner]) => inner !== fields[name]) ? Object.fromEntries(entries) : fields;
}

const TEXTS = ['content', 'text'];
const ADDRESSES = [
	...['url', 'image_url', 'audio_url', 'video_url', 'images'],
	...['file_data', 'data', 'b64_json', 'result'],
];
/** A text that is nothing but a file (https://github.com/foxhui/WebAI2API/issues/102). */
const WHOLE = /^\s{0,99}data:\s{0,9}(image|audio|video)\//i;
const MARKDOWN = /(!\[[^\]\n]{0,200}\]\()(\s{0,9}data:(?:[^,()"]|"[^"\n]{0,300}"){1,300},[\w+/=%\s-]+)\)/gi;

/** @param owner the object that the text is a field of @param place the name of the field that the object is in */
function textWithoutFile(text: string, name: string, owner: Fields, place: string, take: Take): string {
	if (TEXTS.includes(name)) {
		const whole = WHOLE.test(text) ? fileOfText(text) : undefined;
		if (whole) return take(whole) ?? text;
		return text.replace(MARKDOWN, (all, start: string, uri: string) => {
			const file = fileOfText(uri);
			const name = file && take(file);
			return name === undefined ? all : `${start}${name})`;
		});
	}
	if (!ADDRESSES.includes(name)) return text;
	const isUri = isDataUri(text);
	const type = isUri ? '' : typeOfBase64(name, owner, place);
	const file = type === undefined ? undefined : fileOfText(text);
	return (file && take({ ...file, mimeType: type || file.mimeType })) ?? text;
}

/** Returns the media type of a field with Base64, empty if it is unknown; undefined for a field with anything else. */
function typeOfBase64(name: string, owner: Fields, place: string): string | undefined {
	const { type, format, output_format: outputFormat } = owner;
	if (name === 'b64_json') return '';
	if (name === 'result')
		return type === 'image_generation_call' ? `image/${textOr(outputFormat, 'png')}` : undefined;
	// Text documents have a media type as well, but are not Base64.
	if (name !== 'data' || type === 'text') return undefined;
	const [declared] = [owner.mimeType, owner.mime_type, owner.media_type].filter(
		(one): one is string => typeof one === 'string' && one.includes('/'),
	);
	if (declared) return declared;
	if (!['audio', 'input_audio', 'output_audio'].includes(place)) return undefined;
	return typeof format === 'string' ? `audio/${format}` : '';
}
