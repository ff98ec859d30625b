import { scannerFor } from '../../../nodes/Speech/audio/formats';
import { scanned } from '../../unit/Speech/joined';

/** Duration of an audio file in seconds, as the node measures it; undefined for a format that it cannot measure. */
export function audioDuration(bytes: Buffer): number | undefined {
	const scanner = scannerFor(bytes);
	return scanner && scanned(scanner, bytes).seconds;
}
