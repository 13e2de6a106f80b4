# SPDX-License-Identifier: GPL-2.0
# How an example is built: $(NAME).c is the host side, $(NAME)_kernel.c the device's.
# SOFTUVM is where softuvm is, whose tools have been built (make -C tools).
TOOLS	?= $(SOFTUVM)/build/tools

all: $(NAME) $(NAME).elf

$(NAME): $(NAME).c $(NAME).h
	$(CC) -O2 -Wall -Wextra -Werror -I$(SOFTUVM)/tools/lib -I$(SOFTUVM)/include/uapi \
		-static -pthread -o $@ $< $(TOOLS)/libuvm.a

$(NAME).elf: $(NAME)_kernel.c $(NAME).h
	UVM_TOOLS=$(abspath $(SOFTUVM))/tools $(TOOLS)/uvm cc $< -o $@

clean:
	rm -f $(NAME) $(NAME).elf

.PHONY: all clean
