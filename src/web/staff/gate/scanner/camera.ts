/** Why there is no picture. */
export type CameraProblem = 'denied' | 'missing' | 'busy' | 'reader_missing';

export type CameraState = {
  status: 'starting' | 'running' | 'paused' | CameraProblem;
  cameras: readonly { id: string; label: string }[];
  /** The camera in use. */
  cameraId: string | null;
  hasTorch: boolean;
  isTorchOn: boolean;
};

export type Camera = {
  setTorch(isOn: boolean): Promise<void>;
  choose(cameraId: string): void;
  /** Tries again after a problem. */
  restart(): void;
  stop(): void;
};

type Reader = Pick<typeof import('./reader.ts'), 'prepareReader'> &
  Pick<typeof import('./decode.ts'), 'decode'>;

export type CameraOptions = {
  video: HTMLVideoElement;
  cameraId: string | null;
  /** Called for each picture with the code in it; null: it shows none. */
  onPicture: (text: string | null) => void;
  onState: (state: CameraState) => void;
  /** Loaded with the camera, because it is large. */
  loadReader?: () => Promise<Reader>;
};

/** Between two pictures, so that the page stays responsive on a slow phone. In milliseconds. */
const REST_MS = 60;
/** After a code, so that the answer to it is shown first. */
const ANSWER_MS = 300;
/** The longer side of the part of the picture that is read: a code of 53 modules has 10 pixels for each. */
const READ_SIZE = 800;

/** `torch` is missing in the types of the platform. */
type TorchCapabilities = MediaTrackCapabilities & { torch?: boolean };
type TorchConstraintSet = MediaTrackConstraintSet & { torch: boolean };

/** Reads codes from a camera for as long as the page is visible, also after the phone has slept. */
export function openCamera({ video, onPicture, onState, ...options }: CameraOptions): Camera {
  const { loadReader = importReader } = options;
  let state: CameraState = {
    status: 'starting',
    cameras: [],
    cameraId: options.cameraId,
    hasTorch: false,
    isTorchOn: false,
  };
  let stream: MediaStream | null = null;
  /** Each start has its own, so that what an earlier one still does has no effect. */
  let current = new AbortController();
  let isStopped = false;

  function change(part: Partial<CameraState>): void {
    if (isStopped) return;
    state = { ...state, ...part };
    onState(state);
  }

  function swap(from: CameraState['status'], to: CameraState['status']): void {
    if (state.status === from) change({ status: to });
  }

  function close(): void {
    current.abort();
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    video.srcObject = null;
  }

  async function start(): Promise<void> {
    close();
    current = new AbortController();
    const { signal } = current;
    change({ status: 'starting', isTorchOn: false });
    try {
      const reader = loadReader().then(async (module) => {
        await module.prepareReader();
        return module;
      });
      // Its failure is handled below, after the camera's.
      reader.catch(() => undefined);
      const opened = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          ...(state.cameraId === null
            ? { facingMode: 'environment' }
            : { deviceId: { exact: state.cameraId } }),
          width: { ideal: 1280 },
          height: { ideal: 720 },
        },
      });
      if (signal.aborted) {
        for (const track of opened.getTracks()) track.stop();
        return;
      }
      stream = opened;
      const [track] = opened.getVideoTracks();
      // The system takes the camera away, as for a call; or its picture, until the call is over.
      track?.addEventListener('ended', () => void (signal.aborted || start()), { signal });
      track?.addEventListener('mute', () => swap('running', 'paused'), { signal });
      track?.addEventListener('unmute', () => swap('paused', 'running'), { signal });
      video.srcObject = opened;
      await video.play();
      const hasTorch = (track?.getCapabilities?.() as TorchCapabilities | undefined)?.torch === true;
      change({ hasTorch, cameras: await listCameras(), cameraId: track?.getSettings().deviceId ?? null });
      const module = await reader.catch(() => null);
      if (signal.aborted) return;
      if (module === null) return change({ status: 'reader_missing' });
      change({ status: 'running' });
      void read(module.decode, signal);
    } catch (error) {
      if (!signal.aborted) change({ status: findProblem(error) });
    }
  }

  async function read(decode: (picture: ImageData) => Promise<string | null>, signal: AbortSignal) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    while (!signal.aborted && context !== null) {
      const picture = takePicture(video, context);
      const text = picture && (await decode(picture).catch(() => null));
      if (signal.aborted) return;
      if (picture) onPicture(text || null);
      await new Promise((resolve) => setTimeout(resolve, text ? ANSWER_MS : REST_MS));
    }
  }

  function handleVisibility(): void {
    if (document.visibilityState === 'hidden') {
      close();
      change({ status: 'paused' });
    } else if (state.status === 'paused') {
      void start();
    }
  }

  document.addEventListener('visibilitychange', handleVisibility);
  onState(state);
  void start();
  return {
    async setTorch(isOn) {
      const [track] = stream?.getVideoTracks() ?? [];
      const torch: TorchConstraintSet = { torch: isOn };
      const isSet = await track?.applyConstraints({ advanced: [torch] }).then(
        () => true,
        () => false,
      );
      if (isSet) change({ isTorchOn: isOn });
    },
    choose(cameraId) {
      state = { ...state, cameraId };
      void start();
    },
    restart: () => void start(),
    stop() {
      isStopped = true;
      document.removeEventListener('visibilitychange', handleVisibility);
      close();
    },
  };
}

async function importReader(): Promise<Reader> {
  const [{ prepareReader }, { decode }] = await Promise.all([import('./reader.ts'), import('./decode.ts')]);
  return { prepareReader, decode };
}

/** Without labels until the camera was allowed. */
async function listCameras(): Promise<CameraState['cameras']> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** The middle of the picture, because people hold the code there. Null while there is none. */
function takePicture(video: HTMLVideoElement, context: CanvasRenderingContext2D): ImageData | null {
  const { videoWidth, videoHeight } = video;
  const side = Math.min(videoWidth, videoHeight);
  if (side === 0) return null;
  const size = Math.min(side, READ_SIZE);
  const { canvas } = context;
  if (canvas.width !== size) {
    canvas.width = size;
    canvas.height = size;
  }
  context.drawImage(video, (videoWidth - side) / 2, (videoHeight - side) / 2, side, side, 0, 0, size, size);
  return context.getImageData(0, 0, size, size);
}

function findProblem(error: unknown): CameraProblem {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy';
  return 'missing';
}
