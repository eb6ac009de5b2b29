import { Button, ButtonLink, type ButtonVariant, IconButton } from '../form/button.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const variants: ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger'];
const LONG = 'Change this sailing and pay the difference of $1,184.50';

export function ActionStates() {
  return (
    <>
      {variants.map((variant) => (
        <Specimens key={variant} title={`Button, ${variant}`}>
          <Specimen name="Default">
            <Button variant={variant}>Pay</Button>
          </Specimen>
          <Specimen name="Hover" shown="hover">
            <Button variant={variant}>Pay</Button>
          </Specimen>
          <Specimen name="Focus" shown="focus">
            <Button variant={variant}>Pay</Button>
          </Specimen>
          <Specimen name="Pressed" shown="active">
            <Button variant={variant}>Pay</Button>
          </Specimen>
          <Specimen name="Disabled">
            <Button variant={variant} disabled>
              Pay
            </Button>
          </Specimen>
          <Specimen name="Busy">
            <Button variant={variant} isPending pendingText="Paying…">
              Pay
            </Button>
          </Specimen>
          <Specimen name="Long text">
            <Button variant={variant} icon="card">
              {LONG}
            </Button>
          </Specimen>
        </Specimens>
      ))}
      <Specimens title="Icon button and link">
        <Specimen name="Default">
          <IconButton icon="print" label="Print" variant="secondary" />
        </Specimen>
        <Specimen name="Hover" shown="hover">
          <IconButton icon="print" label="Print, hovered" variant="secondary" />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <IconButton icon="print" label="Print, focused" variant="secondary" />
        </Specimen>
        <Specimen name="Disabled">
          <IconButton icon="print" label="Print, off" variant="secondary" disabled />
        </Specimen>
        <Specimen name="Link, default">
          <ButtonLink to="/orders" variant="secondary">
            My orders
          </ButtonLink>
        </Specimen>
        <Specimen name="Link, focus" shown="focus">
          <ButtonLink to="/orders" variant="secondary">
            My orders
          </ButtonLink>
        </Specimen>
      </Specimens>
    </>
  );
}
