import type { IBinaryData } from 'n8n-workflow';
import { storeFile } from '../../shared/files/storeFile';
import { readBytes } from '../../shared/http/byteStream';
import type { Call } from '../../shared/runtime/call';
import type { PaidSlot } from '../../shared/runtime/payments';
import {
	MAX_PART_BYTES,
	type Recording,
	speechBody,
	type SpeechSettings,
	STORED_AUDIO,
	type StoredAudio,
} from '../speak';

/** A part that may come from a file of an earlier try. */
export interface KeptRecording extends Recording {
	file?: IBinaryData;
}

/**
 * What a retry takes over of a long text: the joined file, or the parts that were finished when another one failed.
 * Parts are written to files only then, because joining needs them in memory.
 */
export class JoinedSpeechMemory {
	private readonly wholeSlot: PaidSlot;
	private readonly partSlots: PaidSlot[];

	constructor(
		private readonly call: Call,
		settings: SpeechSettings,
		texts: string[],
	) {
		const { base } = call.client.addresses;
		const bodies = texts.map((text) => speechBody(call, settings, text));
		const slot = (what: string, body: unknown) =>
			call.payments.slot([call.itemIndex], () => JSON.stringify([what, base, body]));
		this.wholeSlot = slot('joined speech', bodies);
		this.partSlots = bodies.map((body) => slot('part of joined speech', body));
	}

	/** The joined file of an earlier try. */
	async whole(): Promise<StoredAudio | undefined> {
		return await this.call.payments.find<StoredAudio>(this.wholeSlot, STORED_AUDIO.filesOf);
	}

	/** A part of an earlier try, by its index from 0. */
	async part(index: number): Promise<KeptRecording | undefined> {
		const file = await this.call.payments.find<IBinaryData>(this.partSlots[index], (kept) => [kept]);
		return file && { file, contentType: file.mimeType, bytes: await this.bytesOf(file) };
	}

	keepWhole(audio: StoredAudio): void {
		for (const slot of this.partSlots) this.call.payments.forget(slot);
		this.call.payments.keep(this.wholeSlot, audio);
	}

	/**
	 * Writes the finished parts to files.
	 *
	 * @param parts undefined for a part that is missing
	 * @param nameFor returns the name of a part's file, by its number from 1
	 * @returns the files, in the same order
	 */
	async keepParts(
		parts: Array<KeptRecording | undefined>,
		nameFor: (part: number) => (extension: string) => string,
	): Promise<Array<IBinaryData | undefined>> {
		const files: Array<IBinaryData | undefined> = [];
		for (const [index, part] of parts.entries()) {
			const { bytes, contentType } = part ?? {};
			const file =
				part?.file ??
				(bytes && (await storeFile(this.call.context, bytes, contentType ?? '', nameFor(index + 1))));
			if (file) this.call.payments.keep(this.partSlots[index], file);
			files.push(file);
		}
		return files;
	}

	private async bytesOf({ id, data }: IBinaryData): Promise<Buffer> {
		if (!id) return Buffer.from(data, 'base64');
		return await readBytes(await this.call.context.helpers.getBinaryStream(id), MAX_PART_BYTES);
	}
}
