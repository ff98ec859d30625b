import { createHash } from 'node:crypto';
import { drawImage, type ImageSpec } from './drawImage';

const maxImages = 10_000;

/** The generated images by file name. An image is drawn when it is read. Only the newest 10,000 are available. */
export class ImageStore {
	private readonly specs = new Map<string, ImageSpec>();

	/** Adds an image. @returns the name of its file, which is the same for the same specification */
	add(spec: ImageSpec): string {
		const name = `${createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 24)}.png`;
		this.specs.set(name, spec);
		if (this.specs.size > maxImages) this.specs.delete(this.specs.keys().next().value!);
		return name;
	}

	/** Returns the bytes of a file; undefined if no file has that name. */
	read(name: string): Buffer | undefined {
		const spec = this.specs.get(name);
		return spec && drawImage(spec);
	}
}
