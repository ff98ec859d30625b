import { fileNameFrom } from '../shared/files/fileName';
import type { Endpoint } from '../shared/gateway/endpoints';
import type { RequestBody } from '../shared/http/requestBody';
import { multipartBody, type FormPart } from './multipartBody';
import type { Sample, SampleInput } from './samples';

/** A voice to create (interface, 4.7). */
export interface VoiceRequest {
	endpoint: Endpoint;
	name: string;
	isPublic: boolean;
	/** Undefined for a public voice. */
	contactEmail: string | undefined;
	description: string;
	samples: SampleInput[];
	/** Additional form fields. They override the others; a list becomes several fields with the same name. */
	extraFields: Record<string, unknown>;
}

/**
 * The form of a voice (interface, 4.7): first the texts, then the recordings. The transcripts are in the order of the
 * recordings.
 *
 * @param samples the opened samples of the voice
 */
export function voiceForm(
	{ name, isPublic, description, contactEmail, extraFields }: VoiceRequest,
	samples: Sample[],
): RequestBody {
	const own: FormPart[] = [
		{ field: 'name', text: name },
		{ field: 'public', text: String(isPublic) },
		...(description ? [{ field: 'description', text: description }] : []),
		...(contactEmail ? [{ field: 'contact_email', text: contactEmail }] : []),
		...samples.map(({ transcript }) => ({ field: 'reference_texts', text: transcript })),
	];
	const extra = Object.entries(extraFields).flatMap(([field, value]) =>
		[value].flat().map((one) => ({ field, text: typeof one === 'string' ? one : JSON.stringify(one) })),
	);
	const files = samples.map(({ file }, index) => ({
		field: 'audio_files',
		fileName: wavName(file.fileName, index + 1),
		contentType: 'audio/wav',
		source: file,
	}));
	return multipartBody([...own.filter((part) => !(part.field in extraFields)), ...extra, ...files]);
}

/** Gateways check the extension, and the recording is known to be WAV whatever its file is called. */
function wavName(fileName = '', number: number): string {
	return fileNameFrom(fileName.replace(/\.[^.]*$/, ''), `sample-${number}`, 'wav');
}
