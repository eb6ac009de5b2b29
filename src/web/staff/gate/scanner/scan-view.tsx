import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readScan } from '#domain/boarding/decide-boarding.ts';
import { isShownCard } from '#domain/boarding/decide-fare.ts';
import type { GateList } from '#domain/boarding/gate-list.ts';
import { findPartiesOfOrder } from '#domain/boarding/search-parties.ts';
import { formatClockForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { readStored, writeStored } from '#web/platform/browser-storage.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { summarizeAnswer } from '../answer/answer-texts.ts';
import type { Answer, Answers } from '../answer/answers.ts';
import { type Camera, type CameraProblem, type CameraState, openCamera } from './camera.ts';
import styles from './scan-view.module.css';

type ScanViewProps = {
  list: GateList;
  answers: Answers;
  history: readonly Answer[];
  /** Opens an order whose reference was typed. */
  onReference: (reference: string) => void;
};

/** Reads codes by camera and takes typed ones. A scanner that acts as a keyboard works on every tab. */
export function ScanView({ list, answers, history, onReference }: ScanViewProps) {
  const [isOn, setIsOn] = useState(wasCameraAllowed);
  return (
    <Stack>
      {isOn ? (
        <CameraView answers={answers} />
      ) : (
        <div className={styles.start}>
          <Button size="large" onClick={() => setIsOn(true)}>
            {t('Start the camera')}
          </Button>
          <p>{t('Or scan with a hand scanner: it works at once.')}</p>
        </div>
      )}
      <TypedCode list={list} answers={answers} onReference={onReference} />
      {history.length > 0 && <History answers={answers} history={history} />}
    </Stack>
  );
}

/** Set once the camera has run, so that it starts by itself from then on. */
const ALLOWED_KEY = 'gate-camera';

function wasCameraAllowed(): boolean {
  return readStored(ALLOWED_KEY) === 'true';
}

function CameraView({ answers }: { answers: Answers }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useRef<Camera>(null);
  const [state, setState] = useState<CameraState | null>(null);
  useEffect(() => {
    if (video.current === null) return;
    const opened = openCamera({
      video: video.current,
      cameraId: null,
      onPicture: (text) => void answers.see(text),
      onState: (next) => {
        if (next.status === 'running') writeStored(ALLOWED_KEY, 'true');
        setState(next);
      },
    });
    camera.current = opened;
    return () => opened.stop();
  }, [answers]);
  const status = state?.status ?? 'starting';
  const isWaiting = status === 'starting' || status === 'paused';
  return (
    <Stack gap="sm">
      <div className={styles.view} hidden={!isWaiting && status !== 'running'}>
        <video
          ref={video}
          className={styles.video}
          muted
          playsInline
          aria-label={t('Picture of the camera')}
        />
        <span className={styles.frame} aria-hidden="true" />
        {isWaiting && (
          <div className={styles.waiting}>
            <Spinner label={t('Starting the camera…')} />
          </div>
        )}
      </div>
      {isProblem(status) && (
        <Notice
          type="warning"
          role="status"
          action={
            <Button variant="secondary" onClick={() => camera.current?.restart()}>
              {t('Try again')}
            </Button>
          }
        >
          {describeProblem(status)}
        </Notice>
      )}
      {state && (
        <Cluster>
          {state.hasTorch && (
            <Button
              variant="secondary"
              aria-pressed={state.isTorchOn}
              onClick={() => void camera.current?.setTorch(!state.isTorchOn)}
            >
              {state.isTorchOn ? t('Turn the light off') : t('Turn the light on')}
            </Button>
          )}
          {state.cameras.length > 1 && (
            <Select
              label={t('Camera')}
              options={state.cameras.map(({ id, label }, index) => ({
                value: id,
                label: label === '' ? t('Camera {number}', { number: index + 1 }) : label,
              }))}
              value={state.cameraId ?? ''}
              onChange={(event) => camera.current?.choose(event.target.value)}
            />
          )}
        </Cluster>
      )}
    </Stack>
  );
}

function isProblem(status: CameraState['status']): status is CameraProblem {
  return status !== 'starting' && status !== 'running' && status !== 'paused';
}

function describeProblem(problem: CameraProblem): string {
  switch (problem) {
    case 'denied':
      return t('The camera is not allowed. Allow it in the settings of the browser for this page.');
    case 'busy':
      return t('Another app uses the camera. Close it, then try again.');
    case 'missing':
      return t('No camera was found. Use a hand scanner, or type the letters below the code.');
    case 'reader_missing':
      return t('The reader of codes could not be loaded. It needs a connection once.');
  }
}

function TypedCode({ list, answers, onReference }: Omit<ScanViewProps, 'history'>) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return;
    const read = readScan(text);
    const isWrong = 'parsed' in read && !read.parsed.ok && !isShownCard(text);
    setProblem(isWrong ? t('No ticket can have these letters. Check them.') : undefined);
    if (isWrong) return;
    const isTicket = 'spoken' in read && list.spokenCodes.get(read.spoken) !== undefined;
    const [party] = isTicket ? [] : findPartiesOfOrder(list.parties.values(), text);
    if (party) return onReference(party.reference);
    void answers.take(text);
    setText('');
  }

  return (
    <form noValidate className={styles.typed} onSubmit={handleSubmit}>
      <ReferenceField
        label={t('Letters below the code')}
        hint={t('Or the order’s reference, or the number of a trip card.')}
        value={text}
        error={problem}
        enterKeyHint="go"
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" variant="secondary">
        {t('Check')}
      </Button>
    </form>
  );
}

function History({ answers, history }: Pick<ScanViewProps, 'answers' | 'history'>) {
  return (
    <Card title={t('Last scans')}>
      <ul className={styles.history}>
        {history.map((answer) => (
          <li key={answer.id}>
            <button type="button" className={styles.entry} onClick={() => answers.show(answer)}>
              <time dateTime={new Date(answer.at).toISOString()}>
                {formatClockForReader(new Date(answer.at))}
              </time>{' '}
              {summarizeAnswer(answer)}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
