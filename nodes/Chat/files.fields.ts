import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/failure/words';
import type { GatewayFailure } from '../shared/failure/failure';
import { filesField, choiceField } from '../shared/fields/field';
import { type FileOfEntry, filesOf, type SentFile } from '../shared/files/sentFiles';
import { chunksOf } from '../shared/send/requestBody';
import type { Call } from '../shared/run/call';
import { toTextOrChoice } from '../shared/run/parameterReader';
import type { FileKind, Part } from './formats/conversation';
import type { ChatFormat } from './formats/chatFormat';
import { fileKindOf, nameOfFile, takesFile } from './formats/fileParts';
import { FORMATS } from './formats/formats';

const AUTOMATIC = '';

const KIND = choiceField('Type', 'kind', {
	default: AUTOMATIC,
	description: 'What is at the web address',
	options: [
		{ name: 'Audio', value: 'audio' },
		{ name: 'Automatic', value: AUTOMATIC, description: 'As the end of the address says, or an image' },
		{ name: 'Image', value: 'image' },
		{ name: 'PDF', value: 'pdf' },
		{ name: 'Text', value: 'text' },
		{ name: 'Video', value: 'video' },
	],
	displayOptions: { show: { source: ['url'] } },
});

export const MESSAGE_FILES = filesField(
	'file',
	{
		displayName: 'Files',
		name: 'files',
		description: 'Files for the model to read',
	},
	[KIND],
);

/** The files of a prompt, as an entry of Options. */
export const FILES: INodeProperties = {
	...MESSAGE_FILES,
	displayOptions: { show: { '/inputType': ['prompt'] } },
};

const MAX_TEXT_BYTES = 10_000_000;

/** Reads the files of a parameter as parts of a message. The content of text files becomes text. */
export async function fileParts(
	call: Call,
	entries: IDataObject[],
	label: string,
	format: ChatFormat,
): Promise<Part[]> {
	const files = await filesOf(call.context, call.itemIndex, entries, label);
	return await Promise.all(files.map(async (file) => await partOf(file, format)));
}

async function partOf({ sent, entry, label }: FileOfEntry, format: ChatFormat): Promise<Part> {
	const kind = (sent.kind === 'address' && setKind(entry, label)) || fileKindOf(sent);
	if (kind === undefined) throw unknownKind(label, sent);
	if (kind === 'text' && sent.kind !== 'address') {
		return { type: 'document', name: nameOfFile(sent), text: await textOf(sent, label) };
	}
	if (!takesFile(format.input, { kind, sent })) throw otherOperation(label, format, { kind, sent });
	return { type: 'file', kind, name: nameOfFile(sent), sent };
}

function setKind(entry: IDataObject, label: string): FileKind | typeof AUTOMATIC {
	const ofEntry = { ...KIND, displayName: `${label}: ${KIND.displayName}` };
	return toTextOrChoice(entry[KIND.name], ofEntry) as FileKind | typeof AUTOMATIC;
}

async function textOf(sent: Exclude<SentFile, { kind: 'address' }>, label: string): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	const source = sent.kind === 'file' ? chunksOf(sent.file) : [Buffer.from(sent.base64, 'base64')];
	for await (const chunk of source) {
		size += chunk.length;
		if (size > MAX_TEXT_BYTES) {
			throw inputFailure(
				label,
				`contains more than ${MAX_TEXT_BYTES / 1e6} MB of text`,
				'No model reads as much at once. Split the text, for example with a Code node, and send the parts one by one.',
			);
		}
		chunks.push(chunk);
	}
	const text = decoded(Buffer.concat(chunks));
	if (text !== undefined) return text;
	throw inputFailure(
		label,
		'is not text in UTF-8',
		'Save the file in UTF-8, or convert it with an Extract from File node.',
	);
}

/** Decodes UTF-8, or UTF-16 with a byte-order mark. Returns undefined for other bytes. */
function decoded(bytes: Buffer): string | undefined {
	const [first, second] = bytes;
	const encoding =
		first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
	const text = new TextDecoder(encoding).decode(bytes);
	return /[\0\uFFFD]/.test(text) ? undefined : text;
}

function unknownKind(label: string, sent: SentFile): GatewayFailure {
	const type = sent.kind === 'address' ? sent.url : sent.mimeType;
	return inputFailure(
		label,
		`contains a file that models do not read (${type})`,
		'Convert it to a PDF, an image, audio, or text first, for example with an Extract from File node.',
	);
}

function otherOperation(
	label: string,
	format: ChatFormat,
	{ kind, sent }: { kind: FileKind; sent: SentFile },
): GatewayFailure {
	const what = sent.kind === 'address' ? 'the web address of a file' : 'a file';
	const others = FORMATS.filter(({ input }) => takesFile(input, { kind, sent })).map(
		({ operation }) => operation.name,
	);
	const select = `elect the operation ${others.join(' or ')}.`;
	return inputFailure(
		label,
		`contains ${what} of the type ${kind}, which ${format.operation.name} cannot send`,
		sent.kind === 'address' ? `Download the file with an HTTP Request node, or s${select}` : `S${select}`,
	);
}
