/* The job that does nothing: what is left is the cost of starting it. */

int main(void) {
  return 0;
}
