import type { IBinaryData } from 'n8n-workflow';
import { storeFile } from '../../shared/files/storeFile';
import { STREAM_BYTES } from '../../shared/http/budgets';
import { readBytes, streamFrom } from '../../shared/http/byteStream';
import type { Call } from '../../shared/runtime/call';
import type { Paid, PaidForm, PaidSlot } from '../../shared/runtime/payments';
import { measured } from '../audio/formats';
import {
	readRecording,
	type Recording,
	speak,
	speechBody,
	type SpeechSettings,
	STORED_AUDIO,
	type StoredAudio,
} from '../speak';

/** A part in memory. */
export interface Part extends Recording {
	/** Its file, if it comes from an earlier try. */
	file?: IBinaryData;
	/** Keeps its file for a retry. */
	keep: Paid<unknown>['keep'];
}

/** A part that has just arrived, or the file of an earlier try, whatever that did with the parts. */
const PART: PaidForm<Recording | StoredAudio> = {
	keeps: false,
	filesOf: (part) => ('file' in part ? [part.file] : []),
};

/**
 * What a retry takes over of a long text: the joined file, or the parts that were finished when another one failed.
 * Parts are written to files only then, because joining needs them in memory.
 */
export class JoinedSpeechMemory {
	private readonly wholeSlot: PaidSlot;

	constructor(
		private readonly call: Call,
		private readonly settings: SpeechSettings,
		texts: string[],
	) {
		const bodies = texts.map((text) => speechBody(call, settings, text));
		const identity = () => JSON.stringify(['joined speech', call.client.addresses.base, bodies]);
		this.wholeSlot = call.payments.slot([call.itemIndex], identity);
	}

	/** The joined file of an earlier try. */
	async whole(): Promise<StoredAudio | undefined> {
		return await this.call.payments.find<StoredAudio>(this.wholeSlot, STORED_AUDIO.filesOf);
	}

	async keepWhole(audio: StoredAudio): Promise<void> {
		await this.call.payments.keep(this.wholeSlot, audio);
	}

	/** Generates a part, unless an earlier try has it. @throws GatewayFailure */
	async part(text: string): Promise<Part> {
		const { value, keep } = await speak<Recording | StoredAudio>(
			this.call,
			this.settings,
			text,
			readRecording,
			PART,
		);
		if (!('file' in value)) return { ...value, keep };
		const { file } = value;
		return { file, contentType: file.mimeType, bytes: await this.bytesOf(file), keep };
	}

	/**
	 * Writes the finished parts to files.
	 *
	 * @param parts undefined for a part that is missing
	 * @param nameFor returns the name of a part's file, by its number from 1
	 * @returns the files, in the same order
	 */
	async keepParts(
		parts: Array<Part | undefined>,
		nameFor: (part: number) => (extension: string) => string,
	): Promise<Array<IBinaryData | undefined>> {
		const files: Array<IBinaryData | undefined> = [];
		for (const [index, part] of parts.entries()) {
			files.push(part?.file ?? (part && (await this.stored(part, nameFor(index + 1)))));
		}
		return files;
	}

	private async stored(part: Part, nameFor: (extension: string) => string): Promise<IBinaryData> {
		const { stream, seconds } = measured(streamFrom([part.bytes]));
		const file = await storeFile(this.call, stream, part.contentType, nameFor);
		await part.keep({ file, durationSeconds: seconds() } satisfies StoredAudio);
		return file;
	}

	private async bytesOf({ id, data }: IBinaryData): Promise<Buffer> {
		if (!id) return Buffer.from(data, 'base64');
		return await readBytes(await this.call.context.helpers.getBinaryStream(id), STREAM_BYTES.audioPart);
	}
}
