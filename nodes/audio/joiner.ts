import type { AudioTags, Place } from './audioTags';
import type { AudioFormat, AudioSource, Sound } from './audioFormat';
import { FORMAT_NAMES, formatOfFile } from './formats';

/** Joins files of one format. Each is read twice, for the header and for its sound, and never as a whole. */
export class Joiner {
	private first: { format: AudioFormat; sound: Sound } | undefined;
	private readonly sounds: Sound[] = [];
	seconds = 0;

	/**
	 * Reads a file. The first one that can be read decides the format, because gateways may ignore the requested one, as
	 * well as, for example, the sample rate. @throws GatewayFailure for a file that is unreadable or in another format
	 */
	async read(source: AudioSource): Promise<Sound> {
		const format = this.first?.format ?? (await formatOfFile(source));
		if (!format)
			throw source.fail(`is not ${FORMAT_NAMES} and cannot be joined; choose one of these formats`);
		const sound = await format.read(source).catch(async (error: unknown) => {
			const own = await formatOfFile(source);
			if (!own || own === format) throw error;
			const [ownName, firstName] = [own.name.toUpperCase(), format.name.toUpperCase()];
			throw source.fail(`is in the format ${ownName}, but the others are in the format ${firstName}`);
		});
		this.first ??= { format, sound };
		return sound;
	}

	/** Checks that a file that has been read can be joined with the first one. @throws GatewayFailure if it cannot */
	checkKind({ fail }: Pick<AudioSource, 'fail'>, sound: Sound): void {
		const { kind } = this.start.sound;
		if (sound.kind !== kind) throw fail(`differs from the others (${sound.kind} instead of ${kind})`);
	}

	append(sound: Sound): Place {
		const startSeconds = this.seconds;
		this.seconds += sound.seconds;
		this.sounds.push(sound);
		return { startSeconds, endSeconds: this.seconds };
	}

	/** Appends silence, rounded to whole frames. */
	appendSilence(seconds: number): Place {
		const { format, sound } = this.start;
		return this.append(format.silence(seconds, sound));
	}

	get mimeType(): string {
		return this.start.format.mimeType;
	}

	/** Writes the joined file. @throws GatewayFailure if it would be too long for its format */
	chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		return this.start.format.write(this.sounds, tags);
	}

	/** The first file. Nothing is joined before one has been read. */
	private get start() {
		return this.first!;
	}
}
